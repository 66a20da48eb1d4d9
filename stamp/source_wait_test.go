package stamp_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

func TestSourceEndedContext(t *testing.T) {
	memory := store.NewMemory()
	c := newConfig(t, stamp.Options{Source: newProvider(t, memory, generators{"orders": {}, "days": daily(clock.NewManual(start), nil)})})
	g, days := newGenerator(t, "orders", c), newGenerator(t, "days", c)
	for _, call := range []func() error{
		func() error { _, err := stamp.NextContext(ended(), "orders", c); return err },
		func() error { _, err := g.NextContext(ended()); return err },
		func() error { _, err := g.Append(ended(), nil, 3); return err },
		func() error { _, err := days.NextGrouped(ended()); return err },
		func() error { _, err := days.AppendGrouped(ended(), nil, 3); return err },
		func() error { _, err := stamp.NextGrouped(ended(), "days", c); return err },
		func() error { _, err := stamp.NextGroupedIn(ended(), "days", c, 0); return err },
	} {
		require.ErrorIs(t, call(), context.Canceled)
	}
	require.Empty(t, counters(memory))
}

// Without a context a call waits for Options.Timeout, whatever that of the
// generator, and then the error is context.DeadlineExceeded.
func TestSourceTimeout(t *testing.T) {
	for name, call := range map[string]func(c *stamp.Config) error{
		"Next":        func(c *stamp.Config) error { _, err := stamp.Next("orders", c); return err },
		"NextIn":      func(c *stamp.Config) error { _, err := stamp.NextIn("orders", c, 0); return err },
		"NextContext": func(c *stamp.Config) error { _, err := stamp.NextContext(none, "orders", c); return err },
		"Generator":   func(c *stamp.Config) error { _, err := stamp.MustGenerator("orders", c).Next(); return err },
		"Append": func(c *stamp.Config) error {
			_, err := stamp.MustGenerator("orders", c).Append(none, nil, 9)
			return err
		},
		"NextGrouped": func(c *stamp.Config) error { _, err := stamp.NextGrouped(none, "days", c); return err },
		"AppendGrouped": func(c *stamp.Config) error {
			_, err := stamp.MustGenerator("days", c).AppendGrouped(none, nil, 9)
			return err
		},
		"by function": func(c *stamp.Config) error { _, err := stamp.NextGrouped(none, "tenants", c); return err },
	} {
		for timeout, want := range map[time.Duration]time.Duration{0: stamp.DefaultTimeout, time.Second: time.Second, 8 * time.Second: 8 * time.Second} {
			t.Run(name+" "+want.String(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					own := segment.Options{Timeout: 3 * time.Second, FetchTimeout: time.Minute, Clock: clock.NewSystem(clock.Options{})}
					days, tenants := own, own
					days.Group.Period = segment.Day
					tenants.Group.Func = func(ctx context.Context) (string, error) { return "a", ctx.Err() }
					provider := newProvider(t, hung{store.NewMemory()}, generators{"orders": own, "days": days, "tenants": tenants})
					c := newConfig(t, stamp.Options{Source: provider, Timeout: timeout})
					begin := time.Now()
					require.ErrorIs(t, call(c), context.DeadlineExceeded)
					require.Equal(t, want, time.Since(begin))
					require.NoError(t, provider.Close())
				})
			})
		}
	}
}

// A call with a context waits for that.
func TestSourceWaitsForTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		provider := newProvider(t, hung{store.NewMemory()}, generators{"orders": {FetchTimeout: time.Hour}})
		g := newGenerator(t, "orders", newConfig(t, stamp.Options{Source: provider, Timeout: time.Second}))
		ctx, cancel := context.WithTimeout(background, time.Minute)
		defer cancel()
		begin := time.Now()
		_, err := g.NextContext(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, time.Minute, time.Since(begin))
		require.NoError(t, provider.Close())
	})
}
