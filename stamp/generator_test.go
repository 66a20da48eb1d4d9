package stamp_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/stamp"
)

func TestGeneratorAndNextShareASequence(t *testing.T) {
	o, _ := partitioned()
	c := newConfig(t, o)
	g := newGenerator(t, "orders", c)
	require.Equal(t, "orders", g.SequenceID())
	require.Same(t, c, g.Config())
	in, err := g.In(7)
	require.NoError(t, err)
	first, err := in.Next()
	require.NoError(t, err)
	second, err := stamp.NextIn("orders", c, 7)
	require.NoError(t, err)
	third, err := in.NextAt(start)
	require.NoError(t, err)
	rest, err := in.Append(context.Background(), []stamp.ID{first}, 2)
	require.NoError(t, err)
	require.Equal(t, []stamp.ID{first, first + 3, first + 4}, rest)
	require.Equal(t, []stamp.ID{first + 1, first + 2}, []stamp.ID{second, third})
	require.Equal(t, stamp.Parts{Partition: 7, Time: 3_600_000, Sequence: 0, Has: c.Layout().Fields()}, unpack(t, c, first))
}

func TestEmptySequenceID(t *testing.T) {
	o, _ := isolated()
	c := newConfig(t, o)
	_, err := stamp.Next("", c)
	require.ErrorIs(t, err, stamp.ErrNoID)
	_, err = stamp.NewGenerator("", c)
	require.ErrorIs(t, err, stamp.ErrNoID)
	require.Panics(t, func() { stamp.MustGenerator("", c) })
	require.NotPanics(t, func() { stamp.MustGenerator("x", c) })
}

func TestEndedContextMakesNoID(t *testing.T) {
	o, _ := isolated()
	c := newConfig(t, o)
	g := newGenerator(t, "orders", c)
	first := next(t, "orders", c)
	for range 3 {
		_, err := stamp.NextContext(ended(), "orders", c)
		require.ErrorIs(t, err, context.Canceled)
		_, err = g.NextContext(ended())
		require.ErrorIs(t, err, context.Canceled)
		dst, err := g.Append(ended(), []stamp.ID{5}, 10)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, []stamp.ID{5}, dst)
	}
	require.Equal(t, first+1, next(t, "orders", c))
}

func TestNilContextIsACallWithoutOne(t *testing.T) {
	o, _ := isolated()
	o.Layout = stamp.Layout{Time: 62, Sequence: 1}
	o.AheadPolicy, o.Timeout = stamp.Wait, time.Millisecond
	c := newConfig(t, o)
	g := newGenerator(t, "orders", c)
	var none context.Context
	_, err := stamp.NextContext(none, "orders", c)
	require.NoError(t, err)
	_, err = g.NextContext(none)
	require.NoError(t, err)
	_, err = g.NextContext(none)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorIs(t, err, stamp.ErrAhead)
	_, err = g.Append(none, nil, 2)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	_, err = stamp.Next("orders", c)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestAppendSizes(t *testing.T) {
	o, _ := isolated()
	c := newConfig(t, o)
	g := newGenerator(t, "orders", c)
	for _, n := range []int{0, -1, 1<<20 + 1, -1 << 63, 1<<63 - 1} {
		dst, err := g.Append(context.Background(), []stamp.ID{1, 2}, n)
		require.Equal(t, &sequence.BatchError{N: n, Max: 1 << 20}, err)
		require.ErrorIs(t, err, stamp.ErrBatch)
		require.Equal(t, []stamp.ID{1, 2}, dst)
	}
}

// Handles outlive drops, and what they claim across one is complete.
func TestGeneratorsGoOnAcrossDrops(t *testing.T) {
	const goroutines, calls = 8, 2000
	o, _ := isolated()
	o.Layout = stamp.Layout{Time: 58, Sequence: 5}
	c := newConfig(t, o)
	g := newGenerator(t, "orders", c)
	lists := make([][]stamp.ID, goroutines)
	var callers, dropper sync.WaitGroup
	for i := range lists {
		callers.Go(func() {
			for n := 0; n < calls; n += 10 {
				want := len(lists[i]) + 8
				var err error
				if lists[i], err = g.Append(context.Background(), lists[i], 8); err != nil || len(lists[i]) != want {
					t.Errorf("%d ids instead of %d: %v", len(lists[i]), want, err)
				}
				for _, call := range []func() (stamp.ID, error){g.Next, func() (stamp.ID, error) { return stamp.Next("orders", c) }} {
					id, err := call()
					if err != nil {
						t.Error(err)
					}
					lists[i] = append(lists[i], id)
				}
			}
		})
	}
	done := make(chan struct{})
	dropper.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				c.Registry().Drop("orders")
			}
		}
	})
	callers.Wait()
	close(done)
	dropper.Wait()
	seen := map[stamp.ID]bool{}
	for _, list := range lists {
		require.IsIncreasing(t, list)
		for _, id := range list {
			require.False(t, seen[id], "%d twice", id)
			seen[id] = true
		}
	}
	require.Len(t, seen, goroutines*calls)
	require.LessOrEqual(t, c.Registry().Len(), 1)
}

func TestCallsDoNotAllocate(t *testing.T) {
	o, _ := partitioned()
	o.Clock = clock.NewSystem(clock.Options{})
	o.Partition = func(context.Context) (uint64, error) { return 3, nil }
	c := newConfig(t, o)
	g := newGenerator(t, "orders", c)
	in, err := g.In(3)
	require.NoError(t, err)
	ctx, dst, buf := context.Background(), make([]stamp.ID, 0, 100), make([]byte, 0, 32)
	now := time.Now()
	for name, call := range map[string]func() error{
		"Next":         func() error { _, err := stamp.Next("orders", c); return err },
		"NextContext":  func() error { _, err := stamp.NextContext(ctx, "orders", c); return err },
		"NextIn":       func() error { _, err := stamp.NextIn("orders", c, 3); return err },
		"g.Next":       func() error { _, err := g.Next(); return err },
		"in.Next":      func() error { _, err := in.Next(); return err },
		"in.NextAt":    func() error { _, err := in.NextAt(now); return err },
		"in.Append":    func() error { _, err := in.Append(ctx, dst, 100); return err },
		"g.Append":     func() error { _, err := g.Append(ctx, dst, 100); return err },
		"AppendEncode": func() error { _, err := c.AppendEncode(buf, 5); return err },
		"Decode":       func() error { _, err := c.Decode("295913926632165376"); return err },
		"Unpack":       func() error { _, err := c.Unpack(295913926632165376); return err },
	} {
		require.Zero(t, testing.AllocsPerRun(1000, func() {
			if e := call(); e != nil {
				err = e
			}
		}), name)
		require.NoError(t, err, name)
	}
}
