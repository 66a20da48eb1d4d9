package segment_test

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

// The last numbers that an int64 holds are given out, and nothing after them.
func TestLastNumbers(t *testing.T) {
	for _, mode := range modes {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			const left = 25
			_, err := f.Memory.Create(background, orders, math.MaxInt64-left)
			require.NoError(t, err)
			g := newGenerator(t, f, segment.Options{Mode: mode, Step: 5})
			for i := range int64(left) {
				require.Equal(t, math.MaxInt64-left+1+i, next(t, g))
				synctest.Wait() // so that no caller meets a failure in the background
			}
			for range 10 {
				id, err := g.Next(background)
				require.ErrorIs(t, err, store.ErrExhausted)
				require.Zero(t, id)
				ids, err := segment.Append[int64](background, g, nil, segment.MaxBatch)
				require.ErrorIs(t, err, store.ErrExhausted)
				require.Empty(t, ids)
				time.Sleep(time.Minute)
			}
		})
	}
}

// A chain asks for less when the counter has no room for all that it wants.
func TestRoomForAStepOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		_, err := f.Memory.Create(background, orders, math.MaxInt64-7)
		require.NoError(t, err)
		g := newGenerator(t, f, segment.Options{Step: 5, SafeDistance: 2})
		for i := range int64(5) {
			require.Equal(t, math.MaxInt64-6+i, next(t, g))
		}
		_, err = g.Next(background)
		require.ErrorIs(t, err, store.ErrExhausted)
	})
}

func TestLargestSteps(t *testing.T) {
	for _, mode := range modes {
		for _, o := range []segment.Options{
			{Step: math.MaxInt64},
			{Step: math.MaxInt64 / 2, SafeDistance: math.MaxInt64, MaxPrefetchDistance: math.MaxInt64},
			{Step: 1, SafeDistance: math.MaxInt64},
		} {
			o.Mode = mode
			g := newGenerator(t, newFake(), o)
			for i := range 100 {
				require.EqualValues(t, i+1, next(t, g))
			}
			require.NoError(t, g.Close())
			s := g.Stats()
			require.LessOrEqual(t, s.Current+s.Reserve+s.Given, uint64(math.MaxInt64))
		}
	}
}

// liar answers what no counter can.
type liar struct {
	store.Counters
	answer int64
}

func (l liar) Allocate(context.Context, store.Key, int64) (int64, error) { return l.answer, nil }

func TestImpossibleAnswers(t *testing.T) {
	for _, answer := range []int64{0, -1, 9, math.MinInt64} {
		g := newGenerator(t, liar{store.NewMemory(), answer}, segment.Options{Mode: segment.Sync, Step: 10})
		id, err := g.Next(background)
		require.ErrorIs(t, err, segment.ErrReply)
		require.Zero(t, id)
	}
}

func TestCallsDoNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	ctx := context.Background()
	dst := make([]int64, 0, 100)
	for name, o := range map[string]segment.Options{
		"plain":    {},
		"ttl":      {TTL: time.Hour},
		"by day":   {Group: segment.Group{Period: segment.Day}, Clock: clock.NewManual(time.Now())},
		"function": {Group: segment.Group{Func: func(context.Context) (string, error) { return "a", nil }}},
	} {
		for _, mode := range modes {
			o.Mode, o.Step = mode, 10_000_000
			g := newGenerator(t, store.NewMemory(), o)
			require.NoError(t, g.Warm(ctx))
			calls := map[string]func() error{
				"NextGrouped":         func() error { _, err := g.NextGrouped(ctx); return err },
				"NextGrouped, no ctx": func() error { _, err := g.NextGrouped(noContext); return err },
				"Take":                func() error { _, err := g.Take(ctx, 100); return err },
				"TryNext":             func() error { g.TryNext(); return nil },
				"TryNextGrouped":      func() error { g.TryNextGrouped(); return nil },
			}
			if o.Group.Func == nil && o.Group.Period == segment.NoPeriod {
				calls["Next"] = func() error { _, err := g.Next(ctx); return err }
				calls["Next, no ctx"] = func() error { _, err := g.Next(noContext); return err }
				calls["Append"] = func() error { _, err := segment.Append(ctx, g, dst, 100); return err }
			}
			for call, fn := range calls {
				var err error
				require.Zero(t, testing.AllocsPerRun(2000, func() {
					if e := fn(); e != nil {
						err = e
					}
				}), "%s, %v, %s", name, mode, call)
				require.NoError(t, err)
			}
		}
	}
}

// noClock fails the test when it is read.
type noClock struct {
	clock.Clock
	t *testing.T
}

func (c *noClock) Read() clock.Reading      { c.t.Error("clock read"); return clock.Reading{} }
func (c *noClock) Monotonic() time.Duration { c.t.Error("clock read"); return 0 }

func TestPlainGeneratorsReadNoClock(t *testing.T) {
	for _, mode := range modes {
		g := newGenerator(t, newFake(), segment.Options{Mode: mode, Clock: &noClock{t: t}})
		for range 1000 {
			next(t, g)
		}
		require.NoError(t, g.Close())
	}
}

// An expired segment stays so, and the wall clock has no part in it.
func TestExpiryIsMeasuredOnTheMonotonicClock(t *testing.T) {
	for _, mode := range modes {
		c := clock.NewManual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		f := newFake()
		g := newGenerator(t, f, segment.Options{Mode: mode, Step: 10, TTL: time.Minute, Clock: c, NoBackground: true})
		require.EqualValues(t, 1, next(t, g))
		c.Step(-1000 * time.Hour)
		require.EqualValues(t, 2, next(t, g))
		c.Step(1000 * time.Hour)
		c.Advance(time.Minute - 1)
		require.EqualValues(t, 3, next(t, g))
		c.Advance(1)
		at := f.counter("orders")
		require.Equal(t, at+1, next(t, g))
		c.Step(-time.Hour)
		require.Equal(t, at+2, next(t, g))
	}
}
