package segment_test

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

var midnight = time.Date(2000, 1, 2, 0, 0, 0, 0, time.UTC) // the first in a bubble

// Many instances are busy over midnight. None of them asks the store around it:
// the first numbers of the day came before, at random times, and last for a while.
func TestMidnightIsNoStampede(t *testing.T) {
	for _, mode := range []segment.Mode{segment.DoubleBuffer, segment.Chain} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			var wg sync.WaitGroup
			for range 20 {
				wg.Go(func() {
					g := newGenerator(t, f, daily(mode, clock.NewSystem(clock.Options{}), nil))
					nextGrouped(t, g)
					time.Sleep(time.Until(midnight) - 2*time.Minute + rand.N(100*time.Millisecond))
					for time.Since(midnight) < 10*time.Second {
						nextGrouped(t, g)
						time.Sleep(100 * time.Millisecond)
					}
				})
			}
			time.Sleep(time.Until(midnight) - 800*time.Millisecond)
			calls := len(f.calls())
			time.Sleep(time.Until(midnight) + 9*time.Second)
			require.Len(t, f.calls(), calls)
			wg.Wait()
			require.EqualValues(t, 20*map[segment.Mode]int64{segment.DoubleBuffer: 1000, segment.Chain: 3000}[mode],
				f.counter("orders@20000102"))
		})
	}
}

// Segments that live for less than a minute are fetched so late that the first
// call of the day finds them fresh.
func TestNextGroupIsFetchedEarlyWithATTL(t *testing.T) {
	for _, ttl := range []time.Duration{100 * time.Millisecond, time.Second, 10 * time.Second, time.Minute} {
		for range 20 {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				f.delay = time.Millisecond
				o := daily(segment.DoubleBuffer, clock.NewSystem(clock.Options{}), nil)
				o.TTL = ttl
				g := newGenerator(t, f, o)
				time.Sleep(time.Until(midnight) - 2*ttl)
				for time.Until(midnight) > 0 {
					require.Equal(t, "20000101", nextGrouped(t, g).Group)
					time.Sleep(min(ttl/100, time.Until(midnight)))
				}
				start := time.Now()
				require.Equal(t, segment.Grouped{Value: 1, Group: "20000102", Day: 10958}, nextGrouped(t, g))
				require.Zero(t, time.Since(start), "nobody waited")
			})
		}
	}
}

// The largest fetch is that of the largest distance, by which a recovery goes.
func TestFetchForTheNextGroupKeepsToTheLargestDistance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		o := daily(segment.Chain, clock.NewSystem(clock.Options{}), nil)
		o.Step, o.SafeDistance, o.MaxPrefetchDistance = 10, 3, 3
		g := newGenerator(t, f, o)
		nextGrouped(t, g)
		time.Sleep(time.Until(midnight) - time.Second)
		nextGrouped(t, g)
		synctest.Wait()
		require.EqualValues(t, 30, f.counter("orders@20000102"))
	})
}

// While the first numbers of the next day are on their way, those of today run
// low. They are fetched after that, without a caller's asking.
func TestTodayRunsLowWhileTomorrowIsFetched(t *testing.T) {
	for _, mode := range []segment.Mode{segment.DoubleBuffer, segment.Chain} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			o := daily(mode, clock.NewSystem(clock.Options{}), nil)
			o.Step = 100
			g := newGenerator(t, f, o)
			nextGrouped(t, g)
			time.Sleep(time.Until(midnight) - time.Second)
			f.set(func(f *fake) { f.delay = 100 * time.Millisecond })
			nextGrouped(t, g) // and tomorrow's are on their way
			for g.Stats().Current+g.Stats().Reserve > 5 {
				nextGrouped(t, g)
			}
			today := f.counter("orders@20000101")
			time.Sleep(500 * time.Millisecond)
			require.Positive(t, f.counter("orders@20000102"))
			require.Greater(t, f.counter("orders@20000101"), today)
			require.Greater(t, g.Stats().Current+g.Stats().Reserve, uint64(5))
		})
	}
}

// A generator that was idle for all of the next day doesn't use the numbers that
// it had fetched for it.
func TestTomorrowsNumbersAreTomorrows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		g := newGenerator(t, f, daily(segment.DoubleBuffer, clock.NewSystem(clock.Options{}), nil))
		nextGrouped(t, g)
		time.Sleep(time.Until(midnight) - time.Second)
		nextGrouped(t, g)
		synctest.Wait()
		require.EqualValues(t, 1000, f.counter("orders@20000102"))
		time.Sleep(25 * time.Hour)
		require.Equal(t, segment.Grouped{Value: 1, Group: "20000103", Day: 10959}, nextGrouped(t, g))
		require.EqualValues(t, 998+1000, g.Stats().Wasted.Group)
	})
}

// The store goes back after tomorrow's first numbers were fetched. They aren't
// used when the operator has seen to today's counter only.
func TestRollbackWithTomorrowsNumbersAtHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		o := daily(segment.DoubleBuffer, clock.NewSystem(clock.Options{}), nil)
		o.Step = 10
		g := newGenerator(t, f, o)
		nextGrouped(t, g)
		time.Sleep(time.Until(midnight) - time.Second)
		nextGrouped(t, g)
		synctest.Wait()
		require.EqualValues(t, 10, f.counter("orders@20000102"))
		f.Restore(store.Contents{})
		var err error
		for err == nil {
			_, err = g.NextGrouped(background)
			synctest.Wait()
		}
		require.ErrorIs(t, err, segment.ErrRolledBack)
		_, err = f.Memory.Create(background, store.Key{Namespace: "shop", Name: "orders@20000101"}, 1000)
		require.NoError(t, err)
		g.Resume()
		time.Sleep(time.Until(midnight))
		_, err = g.NextGrouped(background)
		var rolledBack *segment.RolledBackError
		require.ErrorAs(t, err, &rolledBack)
		require.Equal(t, segment.RolledBackError{
			Counter: store.Key{Namespace: "shop", Name: "orders@20000102"}, Mark: 10, Missing: true,
		}, *rolledBack)
	})
}

// The store is down over midnight and an idle generator tries again: not for
// numbers of a day that is over.
func TestRetriesEndWithTheGroup(t *testing.T) {
	for _, mode := range []segment.Mode{segment.DoubleBuffer, segment.Chain} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			o := daily(mode, clock.NewSystem(clock.Options{}), nil)
			o.Step = 10
			g := newGenerator(t, f, o)
			nextGrouped(t, g)
			time.Sleep(time.Until(midnight) - time.Minute)
			f.set(func(f *fake) { f.err = errDown })
			for g.Stats().FetchFailures == 0 {
				nextGrouped(t, g)
				synctest.Wait()
			}
			time.Sleep(time.Until(midnight))
			f.set(func(f *fake) { f.err = nil })
			calls := len(f.calls())
			time.Sleep(time.Hour)
			require.Len(t, f.calls(), calls)
			require.Equal(t, "20000102", nextGrouped(t, g).Group)
		})
	}
}

// walker is a clock that moves as it is told, however far.
type walker struct {
	clock.Clock
	passed time.Duration
	day    int
}

func (w *walker) Monotonic() time.Duration { return w.passed }

func (w *walker) Read() clock.Reading {
	at := time.Date(2000, 1, 1+w.day, 0, 0, 0, 0, time.UTC)
	return clock.Reading{Wall: at, Reference: at, Monotonic: w.passed}
}

// Days by the hundred thousand leave nothing behind.
func TestDaysDoNotAddUp(t *testing.T) {
	days := 100_000
	if raceEnabled {
		days = 10_000
	}
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			w := new(walker)
			o := daily(mode, w, nil)
			o.Listener = &segment.Listener{OnMarkForgotten: func(e segment.MarkForgotten) {
				t.Errorf("%+v: a day that is over doesn't return", e)
			}}
			g := newGenerator(t, f, o)
			heap := func() uint64 {
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				return m.HeapAlloc
			}
			var early uint64
			for w.day = range days {
				w.passed += 24 * time.Hour
				require.EqualValues(t, 1, nextGrouped(t, g).Value)
				synctest.Wait()             // a fetch in the background
				f.Restore(store.Contents{}) // or the store itself would grow
				if w.day == 1000 {
					early = heap()
				}
			}
			require.Less(t, heap(), early+1<<20)
		})
	}
}
