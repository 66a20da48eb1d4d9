package segment_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

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
