package segment_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

// Callers of different groups by function take the active group from each
// other, and each gets its numbers all the same.
func TestGroupsOfAFunctionSideBySide(t *testing.T) {
	type groupKey struct{}
	for _, mode := range modes {
		for _, step := range []int64{1, 10} {
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				f.delay = time.Millisecond
				g := newGenerator(t, f, segment.Options{Mode: mode, Step: step, Group: segment.Group{
					Func: func(ctx context.Context) (string, error) { return ctx.Value(groupKey{}).(string), nil },
				}})
				var wg sync.WaitGroup
				lists := make([][]segment.Grouped, 6)
				for i := range lists {
					wg.Go(func() {
						name := fmt.Sprint(i % 3)
						ctx := context.WithValue(background, groupKey{}, name)
						for range 50 {
							v, err := g.NextGrouped(ctx)
							require.NoError(t, err)
							require.Equal(t, name, v.Group)
							lists[i] = append(lists[i], v)
						}
					})
				}
				wg.Wait()
				seen := map[segment.Grouped]bool{}
				for _, list := range lists {
					last := int64(0)
					for _, v := range list {
						require.False(t, seen[v])
						require.Greater(t, v.Value, last)
						seen[v], last = true, v.Value
					}
				}
				require.Equal(t, 1, f.flights())
				require.NoError(t, g.Close())
				stats := g.Stats()
				require.LessOrEqual(t, stats.Given, uint64(300))
				reserved := int64(0)
				for _, name := range []string{"0", "1", "2"} {
					reserved += f.counter("orders@" + name)
				}
				require.EqualValues(t, reserved, stats.Given+stats.Wasted.Group+stats.Current+stats.Reserve)
			})
		}
	}
}

func TestGroupFunctionFailsOrAnswersNonsense(t *testing.T) {
	f := newFake()
	refused := errors.New("no tenant")
	name, failure := "", error(nil)
	g := newGenerator(t, f, segment.Options{Group: segment.Group{
		Func: func(context.Context) (string, error) { return name, failure },
	}})
	for _, name = range []string{"", "a@b", "a#b"} {
		_, err := g.NextGrouped(noContext)
		require.ErrorIs(t, err, segment.ErrGroup)
		require.ErrorIs(t, g.Warm(background), segment.ErrGroup)
	}
	failure = refused
	_, err := g.NextGrouped(noContext)
	require.ErrorIs(t, err, refused)
	require.Empty(t, f.calls())
	_, err = g.Next(background)
	require.ErrorIs(t, err, segment.ErrGrouped)
	_, err = segment.Append[int64](background, g, nil, 1)
	require.ErrorIs(t, err, segment.ErrGrouped)
}

// The mark that is forgotten is that of the group that wasn't fetched for the
// longest time, and it is told.
func TestForgottenMark(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var forgotten []segment.MarkForgotten
		g := newGenerator(t, newFake(), byContext(segment.Options{
			Mode: segment.Sync, Step: 1,
			Listener: &segment.Listener{OnMarkForgotten: func(e segment.MarkForgotten) {
				mu.Lock()
				defer mu.Unlock()
				forgotten = append(forgotten, e)
			}},
		}))
		use := func(group string) []segment.MarkForgotten {
			_, err := g.NextGrouped(inGroup(group))
			require.NoError(t, err)
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			return forgotten
		}
		for i := range 1024 {
			require.Empty(t, use(fmt.Sprint(i)))
		}
		require.Empty(t, use("0"))
		require.Equal(t, []segment.MarkForgotten{
			{Counter: store.Key{Namespace: "shop", Name: "orders@1"}, Mark: 1},
		}, use("another"))
	})
}

// A group that returns goes on above what it had, and a store that lost its
// counter meanwhile is found out.
func TestGroupReturnsToARolledBackCounter(t *testing.T) {
	f := newFake()
	name := "a"
	g := newGenerator(t, f, segment.Options{Mode: segment.Sync, Step: 1, Group: segment.Group{
		Func: func(context.Context) (string, error) { return name, nil },
	}})
	nextGrouped(t, g)
	name = "b"
	nextGrouped(t, g)
	f.Restore(store.Contents{})
	name = "a"
	_, err := g.NextGrouped(background)
	require.ErrorIs(t, err, segment.ErrRolledBack)
}
