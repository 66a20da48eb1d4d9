package segment_test

import (
	"context"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence/segment"
)

// What TryNext leaves to Next, Next gives out: together they miss nothing.
func TestTryNextAndNextShareTheNumbers(t *testing.T) {
	for _, o := range []segment.Options{
		{Mode: segment.Sync, Step: 7},
		{Mode: segment.Sync, Step: 7, TTL: time.Hour},
		{Step: 7},
		{Mode: segment.DoubleBuffer, Step: 7, TTL: time.Hour},
	} {
		g := newGenerator(t, newFake(), o)
		require.Zero(t, g.TryNext(), "nothing is fetched yet")
		tried := 0
		for want := int64(1); want <= 1000; want++ {
			id := g.TryNext()
			if id != 0 {
				tried++
			} else {
				id = next(t, g)
			}
			require.Equal(t, want, id)
		}
		require.Greater(t, tried, 800)
	}
}

func TestTryNextGrouped(t *testing.T) {
	c := clock.NewManual(time.Date(2026, 1, 1, 23, 59, 59, 0, time.UTC))
	g := newGenerator(t, newFake(), daily(segment.Sync, c, nil))
	require.Zero(t, g.TryNextGrouped())
	require.Equal(t, segment.Grouped{Value: 1, Group: "20260101", Day: 20454}, nextGrouped(t, g))
	require.Equal(t, segment.Grouped{Value: 2, Group: "20260101", Day: 20454}, g.TryNextGrouped())
	require.Zero(t, g.TryNext(), "its numbers need their group")
	require.Equal(t, segment.Grouped{Value: 3, Group: "20260101", Day: 20454}, g.TryNextGrouped())
	c.Advance(time.Second)
	require.Zero(t, g.TryNextGrouped(), "the day is over")
	require.Equal(t, segment.Grouped{Value: 1, Group: "20260102", Day: 20455}, nextGrouped(t, g))

	asked := 0
	byFunction := newGenerator(t, newFake(), segment.Options{Group: segment.Group{
		Func: func(context.Context) (string, error) { asked++; return "eu", nil },
	}})
	require.Equal(t, segment.Grouped{Value: 1, Group: "eu"}, nextGrouped(t, byFunction))
	require.Zero(t, byFunction.TryNextGrouped())
	require.Zero(t, byFunction.TryNext())
	require.Equal(t, 1, asked)

	plain := newGenerator(t, newFake(), segment.Options{})
	require.EqualValues(t, 1, next(t, plain))
	require.Equal(t, segment.Grouped{Value: 2}, plain.TryNextGrouped())
}

func TestHammerTryNext(t *testing.T) {
	const goroutines, each = 8, 5000
	for _, mode := range modes {
		g := newGenerator(t, newFake(), segment.Options{Mode: mode, Step: 100})
		lists := make([][]int64, goroutines)
		var wg sync.WaitGroup
		for i := range lists {
			wg.Go(func() {
				for range each {
					id := g.TryNext()
					if id == 0 {
						var err error
						if id, err = g.Next(background); err != nil {
							t.Error(err)
							return
						}
					}
					lists[i] = append(lists[i], id)
				}
			})
		}
		wg.Wait()
		requireExactly(t, lists, goroutines*each)
	}
}

func TestAppendRun(t *testing.T) {
	for n := range int64(40) {
		got := segment.AppendRun([]int64{7}, segment.Run{First: 100, Last: 99 + n})
		want := []int64{7}
		for i := range n {
			want = append(want, 100+i)
		}
		require.Equal(t, want, got)
	}
	require.Equal(t, []int64{7}, segment.AppendRun([]int64{7}, segment.Run{First: 5, Last: 1}))
	require.Equal(t, []int64{math.MaxInt64 - 1, math.MaxInt64}, segment.AppendRun([]int64(nil), segment.Run{First: math.MaxInt64 - 1, Last: math.MaxInt64}))
}
