package segment_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

// What libraries of this kind have got wrong. Each fault has its test.

func TestFault01_LoweredCounterIsNotReissued(t *testing.T) {
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) { loweredCounter(t, mode) })
	}
}

func loweredCounter(t *testing.T, mode segment.Mode) {
	f := newFake()
	var events []segment.RolledBack
	g := newGenerator(t, f, segment.Options{
		Mode: mode, Listener: &segment.Listener{OnRolledBack: func(e segment.RolledBack) { events = append(events, e) }},
	})
	backup := f.Contents()
	backup.Counters[orders.String()] = 5
	last := next(t, g)
	synctest.Wait()
	f.Restore(backup)
	var err error
	for err == nil {
		var id int64
		if id, err = g.Next(background); err == nil {
			require.Greater(t, id, last)
			last = id
		}
	}
	require.ErrorIs(t, err, segment.ErrRolledBack, mode)
	var rolledBack *segment.RolledBackError
	require.ErrorAs(t, err, &rolledBack)
	require.GreaterOrEqual(t, rolledBack.Mark, last)
	require.EqualValues(t, 5, rolledBack.Store)
	synctest.Wait()
	require.Len(t, events, 1)
	require.EqualValues(t, 1, g.Stats().Rollbacks)

	// It stays stopped, also when the counter is fine by now.
	_, err = f.Raise(background, orders, 1_000_000)
	require.NoError(t, err)
	calls := len(f.calls())
	for range 10 {
		_, err = g.Next(background)
		require.ErrorIs(t, err, segment.ErrRolledBack)
	}
	require.Len(t, f.calls(), calls)
	g.Resume()
	require.EqualValues(t, 1_000_001, next(t, g))
}

func TestFault01_LostCounterIsNotCreatedAgain(t *testing.T) {
	f := newFake()
	g := newGenerator(t, f, segment.Options{Mode: segment.Sync, Step: 1})
	require.EqualValues(t, 1, next(t, g))
	f.Restore(store.Contents{})
	_, err := g.Next(background)
	require.ErrorIs(t, err, segment.ErrRolledBack)
	var rolledBack *segment.RolledBackError
	require.ErrorAs(t, err, &rolledBack)
	require.Equal(t, segment.RolledBackError{Counter: orders, Mark: 1, Missing: true}, *rolledBack)
	require.EqualValues(t, -1, f.counter("orders"))
}

func TestFault02_RangesAreComparedByTheirEnds(t *testing.T) {
	f := newFake()
	g := newGenerator(t, f, segment.Options{Mode: segment.Sync, Step: 1000})
	for range 1000 {
		next(t, g)
	}
	f.Restore(store.Contents{Counters: map[string]int64{orders.String(): 500}})
	_, err := g.Next(background)
	var rolledBack *segment.RolledBackError
	require.ErrorAs(t, err, &rolledBack)
	require.EqualValues(t, 1000, rolledBack.Mark)
	require.EqualValues(t, 500, rolledBack.Store)
}

func TestFault03_NobodySpinsWhenAllSegmentsExpire(t *testing.T) {
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			f.delay = time.Millisecond
			c := clock.NewSystem(clock.Options{})
			g := newGenerator(t, f, segment.Options{Mode: mode, TTL: time.Second, Clock: c})
			require.EqualValues(t, 1, next(t, g))
			time.Sleep(2 * time.Second) // current and reserve have expired
			had := f.counter("orders")
			calls := len(f.calls())
			start := time.Now()
			require.EqualValues(t, f.counter("orders")+1, next(t, g))
			require.LessOrEqual(t, len(f.calls())-calls, 2)
			require.LessOrEqual(t, time.Since(start), 2*time.Millisecond)
			require.EqualValues(t, had-1, g.Stats().Wasted.TTL)
		})
	}
}

func TestFault04_LastAndFirstSecondOfAGroup(t *testing.T) {
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) {
			c := clock.NewSystem(clock.Options{})
			g := newGenerator(t, newFake(), segment.Options{
				Mode: mode, Step: 100_000, Clock: c, Group: segment.Group{Period: segment.Day},
			})
			require.Equal(t, segment.Grouped{Value: 1, Group: "20000101", Day: 10957}, nextGrouped(t, g))
			midnight := time.Date(2000, 1, 2, 0, 0, 0, 0, time.UTC)
			time.Sleep(time.Until(midnight) - 2*time.Second)
			value := int64(1)
			for time.Until(midnight) > 0 {
				value++
				require.Equal(t, segment.Grouped{Value: value, Group: "20000101", Day: 10957}, nextGrouped(t, g))
				time.Sleep(time.Millisecond)
			}
			for i := range 2000 {
				require.Equal(t, segment.Grouped{Value: int64(i + 1), Group: "20000102", Day: 10958}, nextGrouped(t, g))
				time.Sleep(time.Millisecond)
			}
			require.EqualValues(t, midnight.Unix(), time.Now().Unix()-2)
		})
	}
}

func TestFault05_HungStoreBlocksNobodyElse(t *testing.T) {
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) {
			hung, fine := newFake(), newFake()
			hung.hang = make(chan struct{})
			defer close(hung.hang)
			blocked := newGenerator(t, hung, segment.Options{Mode: mode})
			other := newGenerator(t, fine, segment.Options{Mode: mode})
			start := time.Now()
			var waiting sync.WaitGroup
			for i := range 10 {
				waiting.Go(func() { // each waits for its own context
					ctx, cancel := context.WithTimeout(background, time.Duration(i+1)*time.Second/2)
					defer cancel()
					_, err := blocked.Next(ctx)
					require.ErrorIs(t, err, context.DeadlineExceeded)
					require.Equal(t, time.Duration(i+1)*time.Second/2, time.Since(start))
				})
			}
			waiting.Go(func() { // and no longer than the fetch may take
				_, err := blocked.Next(background)
				require.ErrorIs(t, err, store.ErrUnknownOutcome)
				require.Equal(t, segment.DefaultFetchTimeout, time.Since(start))
			})
			synctest.Wait()
			for i := range 1000 {
				require.EqualValues(t, i+1, next(t, other))
			}
			require.Zero(t, time.Since(start))
			require.Zero(t, blocked.Stats().Given) // not blocked either
			waiting.Wait()
			require.Len(t, hung.calls(), 1)
		})
	}
}

func TestFault06_FailedPrefetchIsFollowedByAnother(t *testing.T) {
	for _, mode := range []segment.Mode{segment.DoubleBuffer, segment.Chain} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			g := newGenerator(t, f, segment.Options{Mode: mode, Step: 10})
			last := next(t, g)
			synctest.Wait()
			f.set(func(f *fake) { f.err = errDown })
			for g.Stats().FetchFailures == 0 {
				last = next(t, g)
				synctest.Wait()
			}
			f.set(func(f *fake) { f.err = nil })
			before := f.counter("orders")
			time.Sleep(segment.DefaultBackoffMin)
			synctest.Wait()
			require.Greater(t, f.counter("orders"), before)
			for i := range 1000 {
				require.EqualValues(t, last+1+int64(i), next(t, g))
			}
		})
	}
}

// The retries of a compare-and-set are the store's; a generator makes none
// within a fetch, and reads its state anew for each.
func TestFault07_AConflictIsReportedAndTheNextFetchWorks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		conflict := errors.New("could not serialize access")
		f.err = conflict
		g := newGenerator(t, f, segment.Options{})
		_, err := g.Next(background)
		require.ErrorIs(t, err, conflict)
		require.ErrorIs(t, err, segment.ErrFetch)
		require.Len(t, f.calls(), 1)
		f.set(func(f *fake) { f.err = nil })
		time.Sleep(segment.DefaultBackoffMin)
		require.EqualValues(t, 1, next(t, g))
	})
}

func TestFault08_CallerAndBackgroundShareOneFetch(t *testing.T) {
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			f.delay = 3 * time.Millisecond
			g := newGenerator(t, f, segment.Options{Mode: mode, Step: 2, MaxPrefetchDistance: 4})
			requireExactly(t, gather(t, g, 8, 250), 2000)
			require.Equal(t, 1, f.flights())
		})
	}
}

func TestFault09_NamedGeneratorsHaveTheirOwnOptions(t *testing.T) {
	f := newFake()
	p, err := segment.NewProvider(f, segment.ProviderOptions{
		Namespace: "shop",
		Defaults:  segment.Options{Mode: segment.Sync, Step: 50, Offset: 7},
		Share:     segment.Options{Step: 100, Offset: 1000},
		Generators: map[string]segment.Options{
			"orders":   {Step: 5, Offset: 10},
			"invoices": {},
		},
	})
	require.NoError(t, err)
	defer func() { require.NoError(t, p.Close()) }()
	for name, want := range map[string]struct{ first, counter int64 }{
		segment.Share: {1001, 1100}, "orders": {11, 15}, "invoices": {1, 50},
	} {
		g, err := p.Generator(name)
		require.NoError(t, err)
		require.Equal(t, want.first, next(t, g), name)
		require.Equal(t, want.counter, f.counter(name), name)
	}
}

func TestFault10_BurstsOfSmallStepsWait(t *testing.T) {
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			f.delay = time.Millisecond
			g := newGenerator(t, f, segment.Options{Mode: mode, Step: 1, SafeDistance: 1, MaxPrefetchDistance: 1})
			requireExactly(t, gather(t, g, 100, 5), 500)
		})
	}
}

func TestFault11_NothingIsLeftRunning(t *testing.T) {
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) { // fails if a goroutine is left
			f := newFake()
			f.delay = time.Millisecond
			var all []*segment.Generator
			requireNone := func(when string) {
				synctest.Wait()
				stacks := make([]byte, 1<<20)
				stacks = stacks[:runtime.Stack(stacks, true)]
				require.NotContains(t, string(stacks), "segment.(*Generator)", when)
			}
			for i := range 100 {
				g, err := segment.New(f, store.Key{Namespace: "shop", Name: fmt.Sprint(i)}, segment.Options{Mode: mode})
				require.NoError(t, err)
				all = append(all, g)
			}
			requireNone("before they are used")
			for _, g := range all {
				for range 25 {
					next(t, g)
				}
			}
			time.Sleep(time.Minute)
			requireNone("when they are idle")
			f.set(func(f *fake) { f.delay = time.Hour })
			for _, g := range all {
				for g.Stats().Current+g.Stats().Reserve > 1 { // calls for a prefetch
					next(t, g)
				}
			}
			start := time.Now()
			for _, g := range all {
				require.NoError(t, g.Close())
				require.NoError(t, g.Close())
			}
			require.Zero(t, time.Since(start))
			requireNone("when they are closed")
		})
	}
}

func TestFault11_GroupsDoNotAddUp(t *testing.T) {
	groups := 100_000
	if raceEnabled {
		groups = 10_000
	}
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		var group int
		var forgotten atomic.Int64
		g := newGenerator(t, f, segment.Options{
			Mode: segment.Sync, Step: 1,
			Group:    segment.Group{Func: func(context.Context) (string, error) { return fmt.Sprint(group), nil }},
			Listener: &segment.Listener{OnMarkForgotten: func(segment.MarkForgotten) { forgotten.Add(1) }},
		})
		heap := func() uint64 {
			synctest.Wait()
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		var early uint64
		for group = range groups {
			f.Restore(store.Contents{}) // or the store itself would grow
			nextGrouped(t, g)
			if group == 5000 {
				early = heap()
			}
		}
		require.Less(t, heap(), early+1<<20)
		require.EqualValues(t, groups-1024, forgotten.Load())
	})
}

func TestFault12_CountersBeginAtTheOffset(t *testing.T) {
	f := newFake()
	for i := range 3 {
		g, err := segment.New(f, store.Key{Namespace: "shop", Name: fmt.Sprint(i)}, segment.Options{Offset: 500})
		require.NoError(t, err)
		require.EqualValues(t, 501, next(t, g))
		require.NoError(t, g.Close())
	}
	require.Equal(t, 3, f.created())
}

func TestFault13_BatchSizes(t *testing.T) {
	for _, mode := range modes {
		g := newGenerator(t, newFake(), segment.Options{Mode: mode})
		for _, n := range []int{0, -1, -1 << 62, segment.MaxBatch + 1} {
			dst, err := segment.Append(background, g, []int64{7}, n)
			require.ErrorIs(t, err, segment.ErrBatch)
			require.Equal(t, []int64{7}, dst)
			_, err = g.Take(background, n)
			require.Equal(t, &segment.BatchError{N: n, Max: segment.MaxBatch}, err)
		}
		dst, err := segment.Append(background, g, []int64{0}, 105)
		require.NoError(t, err)
		for i, id := range dst {
			require.EqualValues(t, i, id)
		}
	}
}

func TestFault14_WarmUp(t *testing.T) {
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			f.delay = time.Second
			g := newGenerator(t, f, segment.Options{Mode: mode})
			require.NoError(t, g.Warm(background))
			f.set(func(f *fake) { f.delay = time.Hour })
			start := time.Now()
			require.EqualValues(t, 1, next(t, g))
			require.Zero(t, time.Since(start))
			require.NoError(t, g.Warm(background))
			require.Zero(t, g.Stats().Hunger, "a first load is not hunger")

			f.set(func(f *fake) { f.err, f.delay = errors.New("down"), 0 })
			cold := newGenerator(t, f, segment.Options{Mode: mode})
			require.ErrorIs(t, cold.Warm(background), segment.ErrFetch)
		})
	}
}
