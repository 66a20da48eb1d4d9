package segment_test

import (
	"bytes"
	"context"
	"log/slog"
	"math"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

func TestStatsOfASteadyLoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		_, _ = f.Memory.Create(background, orders, 0)
		f.delay = 20 * time.Millisecond
		g := newGenerator(t, f, segment.Options{Mode: segment.Sync, Step: 1000})
		require.Equal(t, segment.Stats{
			TimeToExhaustion: math.MaxInt64, SurvivableOutage: math.MaxInt64,
		}, g.Stats())
		for i := range 1500 { // 100 ids a second
			next(t, g)
			if i < 1499 {
				time.Sleep(10 * time.Millisecond)
			}
		}
		s := g.Stats()
		require.EqualValues(t, 500, s.Current)
		require.EqualValues(t, 1500, s.Given)
		require.InDelta(t, 100, s.Rate, 2)
		require.InDelta(t, 5*time.Second, s.TimeToExhaustion, float64(time.Second/5))
		require.InDelta(t, 5*time.Second, s.SurvivableOutage, float64(time.Second/5))
		require.EqualValues(t, 2, s.Fetches)
		require.Equal(t, 20*time.Millisecond, s.FetchMean)
		require.InDelta(t, 20*time.Millisecond, s.FetchP99, float64(5*time.Millisecond))
		require.EqualValues(t, 2, s.Waits)
		require.InDelta(t, 20*time.Millisecond, s.WaitP99, float64(5*time.Millisecond))

		for range 100 { // ten times as much for a while
			next(t, g)
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Minute)
		s = g.Stats()
		require.InDelta(t, 0, s.Rate, 10)
		require.GreaterOrEqual(t, s.PeakRate, 100.0)
		require.Less(t, s.SurvivableOutage, s.TimeToExhaustion)
	})
}

// counting is a fake that counts conflicts.
type counting struct{ *fake }

func (counting) Conflicts() uint64 { return 42 }

func TestConflictsAreTheStores(t *testing.T) {
	require.EqualValues(t, 42, newGenerator(t, counting{newFake()}, segment.Options{}).Stats().Conflicts)
	require.Zero(t, newGenerator(t, newFake(), segment.Options{}).Stats().Conflicts)
}

func TestWaste(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.NewSystem(clock.Options{})
		g := newGenerator(t, newFake(), segment.Options{
			Mode: segment.Sync, Step: 10, TTL: 10 * time.Hour, Clock: c, Group: segment.Group{Period: segment.Day},
		})
		nextGrouped(t, g)
		time.Sleep(10 * time.Hour)
		nextGrouped(t, g)
		require.Equal(t, segment.Wasted{TTL: 9}, g.Stats().Wasted)
		time.Sleep(5 * time.Hour)
		nextGrouped(t, g)
		time.Sleep(9 * time.Hour)
		nextGrouped(t, g)
		require.Equal(t, segment.Wasted{TTL: 9, Group: 8}, g.Stats().Wasted)
		require.NoError(t, g.Close())
		require.Equal(t, segment.Wasted{TTL: 9, Group: 8, Close: 9}, g.Stats().Wasted)
		nextGrouped(t, g)
		require.Equal(t, segment.Wasted{TTL: 9, Group: 8, Close: 8}, g.Stats().Wasted)
	})
}

// What was fetched early for the next group is lost too if it isn't used.
func TestWasteOfTheNextGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		o := daily(segment.DoubleBuffer, clock.NewSystem(clock.Options{}), nil)
		g := newGenerator(t, f, o)
		nextGrouped(t, g)
		time.Sleep(time.Until(midnight) - time.Second)
		nextGrouped(t, g)
		synctest.Wait()
		require.EqualValues(t, 1000, f.counter("orders@20000102"))
		require.NoError(t, g.Close())
		require.Equal(t, segment.Wasted{Close: 998 + 1000}, g.Stats().Wasted)
		time.Sleep(time.Second)
		require.EqualValues(t, 1, nextGrouped(t, g).Value, "closed or not, it is used")
		require.Equal(t, segment.Wasted{Group: 998, Close: 999}, g.Stats().Wasted)
	})
}

// panicking is a log handler that does so.
type panicking struct{ slog.Handler }

func (panicking) Enabled(context.Context, slog.Level) bool { return true }

func (panicking) Handle(context.Context, slog.Record) error { panic("the log's") }

// A listener panics, and so does the log that is to tell. In the goroutine of a
// fetch that would end the program.
func TestListenerAndLogPanic(t *testing.T) {
	before := slog.Default()
	slog.SetDefault(slog.New(panicking{}))
	defer slog.SetDefault(before)
	g := newGenerator(t, newFake(), segment.Options{Listener: &segment.Listener{
		OnFetch: func(segment.Fetched) { panic("a listener's") },
	}})
	require.EqualValues(t, 1, next(t, g))
	require.NoError(t, g.Close())
}

// Every field of the statistics has something to tell in the life of a generator
// on a bad store.
func TestEveryMetricIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		defer close(hang)
		f := counting{newFake()}
		g := newGenerator(t, f, byContext(segment.Options{Step: 10, TTL: time.Hour, Clock: clock.NewSystem(clock.Options{})}))
		ctx := inGroup("a")
		require.NoError(t, g.Warm(ctx))
		f.set(func(f *fake) { f.delay = 10 * time.Millisecond })
		for range 200 { // hunger, waits, a rate
			_, err := g.NextGrouped(ctx)
			require.NoError(t, err)
		}
		_, err := g.NextGrouped(inGroup("b")) // a's rest is wasted
		require.NoError(t, err)
		time.Sleep(2 * time.Hour)
		_, err = g.NextGrouped(inGroup("b")) // and what has expired
		require.NoError(t, err)
		time.Sleep(time.Second)
		// A fetch that never returns, and one that fails.
		f.set(func(f *fake) { f.hang = hang })
		_, err = g.NextGrouped(inGroup("c"))
		require.ErrorIs(t, err, store.ErrUnknownOutcome)
		f.set(func(f *fake) { f.hang, f.err = nil, errDown })
		time.Sleep(segment.DefaultBackoffMax)
		_, err = g.NextGrouped(inGroup("c"))
		require.ErrorIs(t, err, errDown)
		require.True(t, g.Stats().Backoff.After(time.Now()))
		f.set(func(f *fake) { f.err = nil })
		time.Sleep(segment.DefaultBackoffMax)
		_, err = g.NextGrouped(inGroup("b"))
		require.NoError(t, err)
		time.Sleep(time.Second)
		before := g.Stats()

		// The next fetch ahead finds a store that went back, and drops what is left.
		f.set(func(f *fake) { f.delay = 0 })
		f.Restore(store.Contents{})
		for err == nil {
			_, err = g.NextGrouped(inGroup("b"))
			synctest.Wait()
		}
		require.ErrorIs(t, err, segment.ErrRolledBack)
		require.NoError(t, g.Close())
		s := g.Stats()
		// What the end leaves at nothing was seen before it.
		s.Current, s.Reserve = before.Current, before.Reserve
		s.TimeToExhaustion, s.SurvivableOutage = before.TimeToExhaustion, before.SurvivableOutage
		s.Backoff = time.Now()
		s.Wasted.Close = 1 // TestWaste
		for _, of := range []any{s, s.Wasted} {
			v := reflect.ValueOf(of)
			for i := range v.NumField() {
				require.False(t, v.Field(i).IsZero(), "%T.%s", of, v.Type().Field(i).Name)
			}
		}
	})
}

// A listener may make ids in any of its functions, and panic.
func TestListener(t *testing.T) {
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			before := slog.Default()
			slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
			defer slog.SetDefault(before)
			f := newFake()
			_, _ = f.Memory.Create(background, orders, 0)
			var mu sync.Mutex
			var g *segment.Generator
			var fetched []segment.Fetched
			var failed []segment.FetchFailed
			var hungers []segment.Hunger
			g = newGenerator(t, f, segment.Options{Mode: mode, Step: 10, Listener: &segment.Listener{
				OnFetch: func(e segment.Fetched) {
					mu.Lock()
					fetched = append(fetched, e)
					mu.Unlock()
					_, _ = g.Next(background)
				},
				OnFetchFailed: func(e segment.FetchFailed) {
					mu.Lock()
					failed = append(failed, e)
					mu.Unlock()
					_, _ = g.Next(background)
					panic("a listener's")
				},
				OnHunger: func(e segment.Hunger) {
					mu.Lock()
					hungers = append(hungers, e)
					mu.Unlock()
				},
			}})
			next(t, g)
			time.Sleep(time.Second)
			mu.Lock()
			last := int64(0)
			for _, e := range fetched {
				require.Equal(t, orders, e.Counter)
				require.Equal(t, last+1, e.First)
				last = e.Last
			}
			require.Equal(t, f.counter("orders"), last)
			mu.Unlock()

			f.set(func(f *fake) { f.err, f.delay = errDown, time.Millisecond })
			drain(t, g)
			_, err := g.Next(background)
			require.ErrorIs(t, err, errDown)
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			require.NotEmpty(t, failed)
			require.Contains(t, log.String(), "a listener's")
			require.Equal(t, errDown, failed[0].Err)
			require.Equal(t, time.Millisecond, failed[0].Took)
			if mode == segment.Chain {
				require.Equal(t, []segment.Hunger{{Counter: orders, From: 2, To: 4}}, hungers)
			} else {
				require.Empty(t, hungers)
			}
		})
	}
}
