package segment_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

// The numbers that CosId's own tests of its stores and generators hold to.

func TestFourWorkers(t *testing.T) {
	for _, mode := range modes {
		for _, step := range []int64{1, 10, 1000} {
			t.Run(mode.String(), func(t *testing.T) {
				f := newFake()
				g := newGenerator(t, f, segment.Options{Mode: mode, Step: step})
				requireExactly(t, gather(t, g, 4, 1000), 4000)
				require.Equal(t, 1, f.created())
				require.Equal(t, 1, f.flights())
			})
		}
	}
}

func TestTwoChainsTakingTurns(t *testing.T) {
	f := newFake()
	o := segment.Options{Step: 2, SafeDistance: 2, NoBackground: true}
	first, second := newGenerator(t, f, o), newGenerator(t, f, o)
	var got []int64
	for range 2 {
		got = append(got, next(t, first), next(t, second))
	}
	slices.Sort(got)
	require.Equal(t, []int64{1, 2, 5, 6}, got)
}

func TestTwentyAllocationsOfOne(t *testing.T) {
	f := newFake()
	var wg sync.WaitGroup
	lists := make([][]int64, 20)
	for i := range lists {
		wg.Go(func() {
			g := newGenerator(t, f, segment.Options{Mode: segment.Sync, Step: 1})
			lists[i] = []int64{next(t, g)}
		})
	}
	wg.Wait()
	requireExactly(t, lists, 20)
}

func TestRandomSteps(t *testing.T) {
	for range 50 {
		step := 1 + rand.Int64N(1<<31-1)
		f := newFake()
		g := newGenerator(t, f, segment.Options{Mode: segment.Sync, Step: step})
		require.EqualValues(t, 1, next(t, g))
		require.Equal(t, step, f.counter("orders"))
	}
}

func TestGroupsSwitchedByAFunction(t *testing.T) {
	for step, last := range map[int64]int64{1: 3, 10: 11} {
		f := newFake()
		groups := []string{"a", "a", "b", "a"}
		g := newGenerator(t, f, segment.Options{
			Mode: segment.Sync, Step: step,
			Group: segment.Group{Func: func(context.Context) (string, error) {
				defer func() { groups = groups[1:] }()
				return groups[0], nil
			}},
		})
		var got []segment.Grouped
		for range 4 {
			got = append(got, nextGrouped(t, g))
		}
		require.Equal(t, []segment.Grouped{
			{Value: 1, Group: "a"}, {Value: 2, Group: "a"}, {Value: 1, Group: "b"}, {Value: last, Group: "a"},
		}, got)
		require.Equal(t, step, f.counter("orders@b"))
		require.Equal(t, -1, int(f.counter("orders")))
		require.NotEqual(t, -1, int(f.counter("orders@a")))
	}
}

func TestOffsetIsWhereACounterBegins(t *testing.T) {
	for _, mode := range modes {
		f := newFake()
		g := newGenerator(t, f, segment.Options{Mode: mode, Offset: 1000})
		require.EqualValues(t, 1001, next(t, g))
		// Another offset means nothing to a counter that is there.
		other := newGenerator(t, f, segment.Options{Mode: mode, Offset: 5_000_000})
		require.Less(t, next(t, other), int64(2000))
	}
}

func TestStepOneAsksForEachNumber(t *testing.T) {
	f := newFake()
	g := newGenerator(t, f, segment.Options{Mode: segment.Sync, Step: 1})
	for i := range 100 {
		require.EqualValues(t, i+1, next(t, g))
	}
	// One more: the first allocation found no counter.
	require.Len(t, f.calls(), 101)
}

func TestInstancesShareACounter(t *testing.T) {
	m := store.NewMemory()
	var wg sync.WaitGroup
	var lists [3 * 4][]int64
	for i := range lists {
		wg.Go(func() {
			g := newGenerator(t, m, segment.Options{Mode: modes[i%3], Step: 7})
			lists[i] = gather(t, g, 1, 500)[0]
		})
	}
	wg.Wait()
	seen := map[int64]bool{}
	for _, list := range lists {
		require.True(t, slices.IsSorted(list))
		for _, id := range list {
			require.False(t, seen[id], id)
			seen[id] = true
		}
	}
}
