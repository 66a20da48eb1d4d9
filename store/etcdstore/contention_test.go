package etcdstore_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store/etcdstore"
)

// Generators of four processes, so to speak: each has a client of its own.
// They count no number twice, and tell how often they were in each other's way.
func TestGenerators(t *testing.T) {
	t.Parallel()
	const generators, workers, each = 4, 2, 500
	ctx, prefix := testContext(t), newPrefix(t)
	got := make([][]int64, generators*workers)
	errs := make([]error, generators*workers)
	var all [generators]*segment.Generator
	for i := range all {
		g, err := segment.New(newStore(t, connect(t), prefix), orders, segment.Options{Mode: segment.Sync, Step: 10})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, g.Close()) })
		all[i] = g
	}
	require.NoError(t, all[0].Warm(ctx))
	var running sync.WaitGroup
	for i := range got {
		running.Go(func() {
			for range each {
				n, err := all[i%generators].Next(ctx)
				if err != nil {
					errs[i] = err
					return
				}
				got[i] = append(got[i], n)
			}
		})
	}
	running.Wait()
	for i, err := range errs {
		require.NoError(t, err)
		require.True(t, slices.IsSorted(got[i]))
	}
	seen := slices.Sorted(slices.Values(slices.Concat(got...)))
	require.Len(t, seen, generators*workers*each)
	require.Len(t, slices.Compact(seen), generators*workers*each, "a number was given out twice")
	conflicts := uint64(0)
	for _, g := range all {
		conflicts += g.Stats().Conflicts
	}
	require.Positive(t, conflicts)
}

// Many callers over one counter: all are served, since each conflict is another's
// success, and the pauses keep them apart.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	const clients, callers, calls = 4, 48, 5
	ctx, prefix := testContext(t), newPrefix(t)
	var stores [clients]*etcdstore.Store
	for i := range stores {
		stores[i] = newStore(t, connect(t), prefix)
	}
	_, err := stores[0].Create(ctx, orders, 0)
	require.NoError(t, err)
	got, errs := make([][]int64, callers), make([]error, callers)
	var running sync.WaitGroup
	for i := range callers {
		running.Go(func() {
			for range calls {
				maxID, err := stores[i%clients].Allocate(ctx, orders, 1)
				if err != nil {
					errs[i] = err
					return
				}
				got[i] = append(got[i], maxID)
			}
		})
	}
	running.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	want := make([]int64, callers*calls)
	for i := range want {
		want[i] = int64(i) + 1
	}
	require.Equal(t, want, slices.Sorted(slices.Values(slices.Concat(got...))))
	at, err := stores[1].Peek(ctx, orders)
	require.NoError(t, err)
	require.Equal(t, int64(callers*calls), at)
}
