package segment_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

type groupKey struct{}

func inGroup(name string) context.Context { return context.WithValue(background, groupKey{}, name) }

func byContext(o segment.Options) segment.Options {
	o.Group.Func = func(ctx context.Context) (string, error) { return ctx.Value(groupKey{}).(string), nil }
	return o
}

// picky refuses names that are too long for it, as stores do.
type picky struct{ *fake }

func (p picky) Allocate(ctx context.Context, key store.Key, n int64) (int64, error) {
	limits := store.Limits{MaxKey: 20}
	if err := limits.CheckKey(key); err != nil {
		_, _ = p.fake.Allocate(ctx, key, n) // counted, and slow
		return 0, err
	}
	return p.fake.Allocate(ctx, key, n)
}

// A group whose name the store can't hold fails by itself: the others aren't
// kept from fetching, nor do those who waited for its fetch get its error.
func TestTroubleOfOneGroupIsNotThatOfAnother(t *testing.T) {
	long := strings.Repeat("x", 20)
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			f.delay = time.Second
			g := newGenerator(t, picky{f}, byContext(segment.Options{Mode: mode, Step: 10}))
			_, err := g.NextGrouped(inGroup(long))
			require.ErrorIs(t, err, store.ErrInvalid)
			calls := len(f.calls())
			_, err = g.NextGrouped(inGroup(long))
			require.ErrorIs(t, err, segment.ErrBackoff, "its own callers wait")
			require.Len(t, f.calls(), calls)
			v, err := g.NextGrouped(inGroup("a"))
			require.NoError(t, err)
			require.EqualValues(t, 1, v.Value)

			var wg sync.WaitGroup
			wg.Go(func() {
				_, err := g.NextGrouped(inGroup(long))
				require.ErrorIs(t, err, store.ErrInvalid)
			})
			time.Sleep(time.Second / 2)
			for i := range 5 {
				wg.Go(func() {
					_, err := g.NextGrouped(inGroup(fmt.Sprint("b", i%2)))
					require.NoError(t, err)
				})
			}
			wg.Wait()
		})
	}
}

// A store that is down is down for all groups, and is asked but once.
func TestTroubleOfTheStoreIsThatOfAllGroups(t *testing.T) {
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			f.err, f.delay = errDown, time.Second
			g := newGenerator(t, f, byContext(segment.Options{Mode: mode}))
			var wg sync.WaitGroup
			for i := range 50 {
				wg.Go(func() {
					_, err := g.NextGrouped(inGroup(fmt.Sprint(i)))
					require.ErrorIs(t, err, errDown)
					require.ErrorIs(t, err, segment.ErrFetch)
				})
			}
			wg.Wait()
			require.Len(t, f.calls(), 1)
			_, err := g.NextGrouped(inGroup("another"))
			require.ErrorIs(t, err, segment.ErrBackoff)
			require.Len(t, f.calls(), 1)
		})
	}
}

// A counter that is used up keeps its own group waiting, and no other.
func TestExhaustedGroup(t *testing.T) {
	f := newFake()
	_, err := f.Memory.Create(background, store.Key{Namespace: "shop", Name: "orders@full"}, 1<<63-1)
	require.NoError(t, err)
	g := newGenerator(t, f, byContext(segment.Options{Mode: segment.Sync}))
	for range 3 {
		_, err := g.NextGrouped(inGroup("full"))
		require.ErrorIs(t, err, store.ErrExhausted)
		_, err = g.NextGrouped(inGroup("a"))
		require.NoError(t, err)
	}
}

// Who has waited for the first numbers of a group calls for its reserve too.
func TestGroupHasItsReserveAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGenerator(t, newFake(), byContext(segment.Options{Step: 10}))
		for _, name := range []string{"a", "b", "a"} {
			_, err := g.NextGrouped(inGroup(name))
			require.NoError(t, err)
			synctest.Wait()
			require.EqualValues(t, 29, g.Stats().Current+g.Stats().Reserve)
		}
	})
}

// A rollback of one group's counter stops all of them: they are in one store.
func TestRollbackOfOneGroupStopsAll(t *testing.T) {
	f := newFake()
	g := newGenerator(t, f, byContext(segment.Options{Mode: segment.Sync, Step: 1}))
	for _, name := range []string{"a", "b"} {
		_, err := g.NextGrouped(inGroup(name))
		require.NoError(t, err)
	}
	f.Restore(store.Contents{Counters: map[string]int64{"shop.orders@b": 100}})
	_, err := g.NextGrouped(inGroup("a"))
	require.ErrorIs(t, err, segment.ErrRolledBack)
	_, err = g.NextGrouped(inGroup("b"))
	require.ErrorIs(t, err, segment.ErrRolledBack)
}
