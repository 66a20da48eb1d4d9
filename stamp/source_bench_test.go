package stamp_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

// BenchmarkSource measures ids of a source in turn with their floor, an atomic
// add, and with the generator below them:
//
//	go test -run '^$' -bench Source -count 6 ./stamp
func BenchmarkSource(b *testing.B) {
	provider, err := segment.NewProvider(store.NewMemory(), segment.ProviderOptions{
		Namespace: "shop", Defaults: segment.Options{Step: 1000},
		Generators: map[string]segment.Options{"orders": {}, "invoices": {Group: segment.Group{Period: segment.Day}}},
	})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, provider.Close()) })
	config := func(l stamp.Layout) *stamp.Config {
		c, err := stamp.NewConfig(stamp.Options{Layout: l, Source: provider})
		require.NoError(b, err)
		return c
	}
	handle := func(id string, c *stamp.Config) *stamp.Generator {
		g, err := stamp.NewGenerator(id, c)
		require.NoError(b, err)
		return g
	}
	plain, dated, parts := config(stamp.Layout{}), config(stamp.Layout{Time: 16, Sequence: 47}), config(stamp.Layout{Partition: 4, Sequence: 59})
	orders, invoices := handle("orders", plain), handle("invoices", dated)
	numbers, err := provider.Generator("orders")
	require.NoError(b, err)
	clk, err := stamp.NewConfig(stamp.Options{Layout: stamp.Layout{Partition: 4, Time: 42, Sequence: 17}})
	require.NoError(b, err)
	var word struct {
		_ [64]byte
		atomic.Uint64
		_ [56]byte
	}
	ctx, ids := context.Background(), make([]stamp.ID, 0, 1000)
	for _, row := range []struct {
		name string
		call func() error
		per  int
	}{
		{"segment/Next", func() error { _, err := numbers.Next(ctx); return err }, 1},
		{"Generator.Next", func() error { _, err := orders.Next(); return err }, 1},
		{"Next", func() error { _, err := stamp.Next("orders", plain); return err }, 1},
		{"NextIn", func() error { _, err := stamp.NextIn("__share__", parts, 3); return err }, 1},
		{"Generator.Next/by day", func() error { _, err := invoices.Next(); return err }, 1},
		{"NextGrouped/by day", func() error { _, err := invoices.NextGrouped(ctx); return err }, 1},
		{"NextIn/clock", func() error { _, err := stamp.NextIn("orders", clk, 3); return err }, 1},
		{"Append", func() error { _, err := orders.Append(ctx, ids, 1000); return err }, 1000},
	} {
		b.Run(row.name, func(b *testing.B) {
			const slice = 5000
			var took, ratios []float64
			for b.Loop() {
				t0 := time.Now()
				for range slice {
					word.Add(1)
				}
				t1 := time.Now()
				for range slice / row.per {
					if err := row.call(); err != nil {
						b.Fatal(err)
					}
				}
				floor, subject := float64(t1.Sub(t0)), float64(time.Since(t1))
				took, ratios = append(took, subject/slice), append(ratios, subject/floor)
			}
			slices.Sort(took)
			slices.Sort(ratios)
			b.ReportMetric(took[len(took)/2], "ns/op")
			b.ReportMetric(ratios[len(ratios)/2], "x-add")
		})
	}
}
