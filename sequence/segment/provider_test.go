package segment_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

func newProvider(t *testing.T, counters store.Counters, o segment.ProviderOptions) *segment.Provider {
	t.Helper()
	o.Namespace = "shop"
	p, err := segment.NewProvider(counters, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return p
}

func TestProviderTellsWhatThereIs(t *testing.T) {
	p := newProvider(t, newFake(), segment.ProviderOptions{
		Generators: map[string]segment.Options{"orders": {}, "invoices": {}},
	})
	require.Equal(t, []string{"__share__", "invoices", "orders"}, p.Names())
	_, err := p.Generator("order")
	require.ErrorIs(t, err, segment.ErrUnknownName)
	require.EqualError(t, err, `segment: unknown generator "order", there are: __share__, invoices, orders`)
	_, err = p.Partition("order", 3)
	require.Equal(t, &segment.UnknownNameError{Name: "order", Known: p.Names()}, err)
}

func TestProviderCounters(t *testing.T) {
	f := newFake()
	p := newProvider(t, f, segment.ProviderOptions{
		Defaults: segment.Options{Mode: segment.Sync},
		Generators: map[string]segment.Options{
			"orders": {Group: segment.Group{Func: func(context.Context) (string, error) { return "eu", nil }}},
		},
	})
	share, err := p.Generator(segment.Share)
	require.NoError(t, err)
	require.EqualValues(t, 1, next(t, share))
	part, err := p.Partition("orders", 7)
	require.NoError(t, err)
	require.Equal(t, segment.Grouped{Value: 1, Group: "eu"}, nextGrouped(t, part))
	require.Equal(t, map[string]int64{"shop.__share__": 10, "shop.orders#7@eu": 10}, f.Contents().Counters)
	same, err := p.Generator(segment.Share)
	require.NoError(t, err)
	require.Same(t, share, same)
}

func TestPartitionsAreMadeOnce(t *testing.T) {
	p := newProvider(t, newFake(), segment.ProviderOptions{Generators: map[string]segment.Options{"orders": {}}})
	got := make([]*segment.Generator, 16)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() { got[i], _ = p.Partition("orders", 1<<63) })
	}
	wg.Wait()
	for _, g := range got {
		require.NotNil(t, g)
		require.Same(t, got[0], g)
	}
	require.Equal(t, "orders#9223372036854775808", got[0].Key().Name)
	require.EqualValues(t, 1, next(t, got[0]))
	p.Drop("orders", 1<<63)
	p.Drop("orders", 1<<63)
	require.Positive(t, got[0].Stats().Wasted.Close, "closed")
	again, err := p.Partition("orders", 1<<63)
	require.NoError(t, err)
	require.NotSame(t, got[0], again)
	require.Greater(t, next(t, again), int64(1))
	require.Zero(t, testing.AllocsPerRun(100, func() { _, _ = p.Partition("orders", 1<<63) }))
}

func TestProviderReportsAllViolations(t *testing.T) {
	_, err := segment.NewProvider(newFake(), segment.ProviderOptions{
		Defaults:   segment.Options{Step: -1},
		Share:      segment.Options{Step: 5, TTL: -1},
		Generators: map[string]segment.Options{"a": {}, "b#": {Step: 1}, "ok": {Step: 1}, segment.Share: {Step: 1}},
	})
	require.ErrorIs(t, err, segment.ErrOptions)
	for _, text := range []string{"TTL -1ns", "Step -1", `"b#" has`, "empty namespace", "has its options in Share", `generator "a"`} {
		require.ErrorContains(t, err, text)
	}
}

func TestProviderWarmAndClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		p := newProvider(t, f, segment.ProviderOptions{Generators: map[string]segment.Options{
			"orders": {}, "invoices": {},
			"tenants": {Group: segment.Group{Func: func(context.Context) (string, error) { return "", nil }}},
		}})
		require.NoError(t, p.Warm(background))
		require.Len(t, f.Contents().Counters, 3)
		f.set(func(f *fake) { f.delay = time.Hour })
		g, err := p.Generator("orders")
		require.NoError(t, err)
		for range 10 {
			next(t, g)
		}
		start := time.Now()
		require.NoError(t, p.Close())
		require.NoError(t, p.Close())
		require.Zero(t, time.Since(start))
		f.set(func(f *fake) { f.delay = 0 })
		late, err := p.Partition("orders", 1)
		require.NoError(t, err)
		for range 100 {
			next(t, late)
		}
		require.Zero(t, late.Stats().Hunger, "made closed")

		f.set(func(f *fake) { f.err = errDown })
		cold := newProvider(t, f, segment.ProviderOptions{})
		require.ErrorIs(t, cold.Warm(noContext), errDown)
	})
}
