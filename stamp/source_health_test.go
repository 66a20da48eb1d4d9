package stamp_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

func TestSourceHealth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failing := &failing{Memory: store.NewMemory()}
		provider := newProvider(t, failing, generators{"orders": {Step: 2}, "other": {Step: 2}})
		c := newConfig(t, stamp.Options{Source: provider, Layout: stamp.Layout{Partition: 2, Sequence: 61}})
		healthy := stamp.Health{Left: math.MaxInt64}
		require.NoError(t, c.Open(background))
		require.ErrorIs(t, c.Open(ended()), context.Canceled)
		require.ErrorIs(t, c.Health(ended()).Err, context.Canceled)
		require.Equal(t, healthy, c.Health(background))
		require.Empty(t, counters(failing.Memory))

		for p := range uint64(3) {
			require.NoError(t, second(stamp.NextIn("orders", c, p)))
		}
		failing.err = errors.New("disk on fire")
		require.Equal(t, healthy, c.Health(background), "nobody has noticed")
		require.NoError(t, second(stamp.NextIn("orders", c, 1)))
		require.ErrorIs(t, second(stamp.NextIn("orders", c, 1)), stamp.ErrFetch)
		h := c.Health(background)
		require.ErrorIs(t, h.Err, stamp.ErrBackoff)
		require.ErrorIs(t, h.Err, failing.err)
		require.Zero(t, h.Left)
		time.Sleep(time.Minute)
		require.Equal(t, healthy, c.Health(background), "a fetch is due")

		failing.err = nil
		before := failing.Contents()
		require.NoError(t, second(stamp.NextIn("orders", c, 1)))
		require.NoError(t, second(stamp.NextIn("orders", c, 1)))
		failing.Restore(before)
		require.ErrorIs(t, second(stamp.NextIn("orders", c, 1)), stamp.ErrRolledBack)
		failing.err = errors.New("disk on fire again")
		for range 2 { // a partition that is backing off hides it in no order
			for _, p := range []uint64{0, 2} {
				for range 2 {
					_, _ = stamp.NextIn("orders", c, p)
				}
			}
			require.ErrorIs(t, c.Health(background).Err, stamp.ErrRolledBack)
		}
		require.NoError(t, provider.Err("other"))
		require.ErrorIs(t, provider.Err("unknown"), stamp.ErrUnknownName)
		unused := newConfig(t, stamp.Options{Source: provider, Layout: stamp.Layout{Partition: 2, Sequence: 61}})
		require.Equal(t, healthy, unused.Health(background), "of names that it has used")
	})
}

// The layout's end comes nearer.
func TestSourceHealthByDay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		provider := newProvider(t, store.NewMemory(), generators{"orders": {Clock: clock.NewSystem(clock.Options{}), Group: segment.Group{Period: segment.Day}}})
		c := newConfig(t, stamp.Options{Source: provider, Layout: stamp.Layout{Time: 2, Sequence: 51}, Epoch: time.Now()})
		require.Equal(t, 4*24*time.Hour, c.Health(background).Left)
		require.NoError(t, second(stamp.Next("orders", c)))
		time.Sleep(5 * 24 * time.Hour)
		h := c.Health(background)
		require.Zero(t, h.Left)
		require.ErrorIs(t, h.Err, stamp.ErrTimeExhausted)
		early := newConfig(t, stamp.Options{Source: provider, Layout: stamp.Layout{Time: 2, Sequence: 51}, Epoch: time.Now().AddDate(0, 0, 1)})
		require.ErrorIs(t, early.Health(background).Err, stamp.ErrBeforeEpoch)
		require.Zero(t, early.Health(background).Left)
	})
}
