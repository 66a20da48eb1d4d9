package stamp_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/stamp"
)

// A synctest bubble begins in the year 2000, so the epoch must be earlier.
var bubbleEpoch = time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC)

func bubbleConfig(t *testing.T, registry *sequence.Registry, c clock.Clock) *stamp.Config {
	return newConfig(t, stamp.Options{
		Layout: stamp.Layout{Time: 51, Sequence: 12}, Epoch: bubbleEpoch, Clock: c, Registry: registry,
	})
}

// requireNow makes ids of a new sequence and of one that lasts, whose times
// must be the clock's.
func requireNow(t *testing.T, c *stamp.Config, id string) {
	t.Helper()
	for range 3 {
		before := time.Now()
		n := next(t, id, c)
		at, err := c.Time(n)
		require.NoError(t, err)
		require.False(t, at.Before(before.Truncate(time.Millisecond)), "%v, made at %v", at, before)
		require.False(t, at.After(time.Now()), "%v", at)
	}
}

// The default clock follows a bubble's time line, and the real one after it,
// on clocks and registries that are used on both.
func TestDefaultClockInABubble(t *testing.T) {
	registry := sequence.NewRegistry()
	outside := bubbleConfig(t, registry, nil)
	requireNow(t, outside, "before")
	for range 2 {
		synctest.Test(t, func(t *testing.T) {
			c := bubbleConfig(t, registry, nil)
			id := "inside " + time.Now().String()
			registry.Drop(id)
			requireNow(t, bubbleConfig(t, sequence.NewRegistry(), nil), id)
			time.Sleep(36 * time.Hour)
			synctest.Wait()
			requireNow(t, bubbleConfig(t, sequence.NewRegistry(), nil), id)
			_, err := stamp.Next("before", c) // stands at the real time: 26 years ahead, and goes on
			require.NoError(t, err)
		})
		time.Sleep(2 * time.Millisecond)
		requireNow(t, outside, "before")
		requireNow(t, outside, "after")
	}
}

// A clock that was made inside a bubble works outside.
func TestClockOfABubbleOutside(t *testing.T) {
	var made *clock.System
	synctest.Test(t, func(t *testing.T) {
		made = clock.NewSystem(clock.Options{})
		requireNow(t, bubbleConfig(t, sequence.NewRegistry(), made), "orders")
	})
	registry := sequence.NewRegistry()
	requireNow(t, bubbleConfig(t, registry, made), "orders")
	synctest.Test(t, func(t *testing.T) {
		requireNow(t, bubbleConfig(t, sequence.NewRegistry(), made), "orders")
	})
	requireNow(t, bubbleConfig(t, registry, made), "orders")
}

// A sequence that waits in a bubble does so in the bubble's time, exactly.
func TestTimeoutInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newConfig(t, stamp.Options{
			Layout: stamp.Layout{Time: 62, Sequence: 1}, Epoch: bubbleEpoch, Unit: time.Minute,
			AheadPolicy: stamp.Wait, Registry: sequence.NewRegistry(),
		})
		begin := time.Now()
		next(t, "orders", c)
		next(t, "orders", c)
		_, err := stamp.Next("orders", c)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, stamp.ErrAhead)
		require.Equal(t, stamp.DefaultTimeout, time.Since(begin))

		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		_, err = stamp.NextContext(ctx, "orders", c)
		require.NoError(t, err)
		require.Equal(t, time.Minute, time.Since(begin))
	})
}

// An epoch after the bubble's beginning is the error that says so.
func TestDefaultEpochInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newConfig(t, stamp.Options{Layout: stamp.Layout{Time: 51, Sequence: 12}, Registry: sequence.NewRegistry()})
		_, err := stamp.Next("orders", c)
		require.ErrorIs(t, err, stamp.ErrBeforeEpoch)
		require.ErrorContains(t, err, "2000-01-01T00:00:00Z")
	})
}
