package stamp_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/stamp"
)

// Drops don't give a call without a context more time to wait.
func TestACallWaitsNoLongerThanTimeoutWhenItsSequenceIsDropped(t *testing.T) {
	var none context.Context
	for name, call := range map[string]func(c *stamp.Config, g *stamp.Generator) error{
		"Next":           func(c *stamp.Config, _ *stamp.Generator) error { _, err := stamp.NextIn("orders", c, 0); return err },
		"Generator.Next": func(_ *stamp.Config, g *stamp.Generator) error { _, err := g.Next(); return err },
		"Append":         func(_ *stamp.Config, g *stamp.Generator) error { _, err := g.Append(none, nil, 1); return err },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newConfig(t, stamp.Options{
					Layout: stamp.Layout{Time: 61, Sequence: 2}, Epoch: bubbleEpoch, Unit: time.Hour,
					Clock: clock.NewSystem(clock.Options{}), Registry: sequence.NewRegistry(),
					AheadPolicy: stamp.Wait, Timeout: 5 * time.Second,
				})
				g := newGenerator(t, "orders", c)
				for range 4 {
					_, err := g.Next()
					require.NoError(t, err)
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				var dropper sync.WaitGroup
				defer dropper.Wait()
				defer cancel()
				dropper.Go(func() {
					for ctx.Err() == nil {
						time.Sleep(3 * time.Second)
						c.Registry().Drop("orders")
					}
				})
				begin := time.Now()
				require.ErrorIs(t, call(c, g), context.DeadlineExceeded)
				require.LessOrEqual(t, time.Since(begin), 5*time.Second)
			})
		})
	}
}
