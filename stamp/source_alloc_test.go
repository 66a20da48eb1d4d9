package stamp_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

func TestSourceCallsDoNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	const step = 100_000_000
	provider := newProvider(t, store.NewMemory(), generators{
		"orders":   {Step: step},
		"expiring": {Step: step, TTL: time.Hour},
		"days":     {Step: step, Group: segment.Group{Period: segment.Day}},
		"tenants":  {Step: step, Group: segment.Group{Func: byFunction}},
	})
	plain := newConfig(t, stamp.Options{Source: provider})
	dated := newConfig(t, stamp.Options{Source: provider, Layout: dayLayout, Epoch: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)})
	parts := newConfig(t, stamp.Options{
		Source:    newProvider(t, store.NewMemory(), generators{"orders": {Step: step}}),
		Layout:    stamp.Layout{Partition: 30, Sequence: 33},
		Partition: func(context.Context) (uint64, error) { return 1 << 29, nil },
	})
	orders, expiring, days := newGenerator(t, "orders", plain), newGenerator(t, "expiring", plain), newGenerator(t, "days", dated)
	tenants, both := newGenerator(t, "tenants", plain), newGenerator(t, "orders", parts)
	in, err := both.In(1 << 29)
	require.NoError(t, err)
	format, err := stamp.NewFormat("days", dated, encode.FormatOptions{Prefix: "BIZ-", Date: "20060102", Base: encode.Radix62})
	require.NoError(t, err)
	ids, list, buf := make([]stamp.ID, 0, 100), make([]stamp.Grouped, 0, 100), make([]byte, 0, 64)
	for name, call := range map[string]func() error{
		"Next":                 func() error { return second(stamp.Next("orders", plain)) },
		"NextContext":          func() error { return second(stamp.NextContext(background, "orders", plain)) },
		"g.Next":               func() error { return second(orders.Next()) },
		"g.NextContext":        func() error { return second(orders.NextContext(background)) },
		"g.Append":             func() error { return second(orders.Append(background, ids, 100)) },
		"expiring, Next":       func() error { return second(expiring.Next()) },
		"days, Next":           func() error { return second(stamp.Next("days", dated)) },
		"days, g.Next":         func() error { return second(days.Next()) },
		"days, NextContext":    func() error { return second(days.NextContext(background)) },
		"days, NextGrouped":    func() error { return second(stamp.NextGrouped(background, "days", dated)) },
		"days, NextGrouped, 0": func() error { return second(days.NextGrouped(none)) },
		"days, Append":         func() error { return second(days.Append(background, ids, 100)) },
		"days, AppendGrouped":  func() error { return second(days.AppendGrouped(background, list, 100)) },
		"tenants, NextGrouped": func() error { return second(tenants.NextGrouped(background)) },
		"partitions, Next":     func() error { return second(stamp.Next("orders", parts)) },
		"partitions, NextIn":   func() error { return second(stamp.NextIn("orders", parts, 1<<29)) },
		"partitions, g.Next":   func() error { return second(both.Next()) },
		"partitions, in.Next":  func() error { return second(in.Next()) },
		"partitions, Append":   func() error { return second(both.Append(background, ids, 100)) },
		"Format.Append":        func() error { return second(format.Append(buf, 5<<47|77)) },
	} {
		require.Zero(t, testing.AllocsPerRun(1000, func() {
			if e := call(); e != nil {
				err = e
			}
		}), name)
		require.NoError(t, err, name)
	}
}
