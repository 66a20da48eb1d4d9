package otelstamp_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/integrations/otelstamp"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/storetest"
	"github.com/stampid/go-stamp/telemetry"
)

var start = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

// program makes ids of both sources, observed by a reader that is asked by hand.
type program struct {
	t        *testing.T
	reader   *sdk.ManualReader
	metrics  *otelstamp.Metrics
	clock    *clock.Manual
	cfg      *stamp.Config
	records  *storetest.FaultyRecords
	counters *storetest.Faulty
	provider *segment.Provider
	numbers  *stamp.Config
}

func newProgram(t *testing.T) *program {
	p := &program{
		t: t, reader: sdk.NewManualReader(), clock: clock.NewManual(start),
		records:  storetest.NewFaultyRecords(store.NewMemory(), nil),
		counters: storetest.NewFaulty(store.NewMemory(), nil),
	}
	var err error
	p.metrics, err = otelstamp.New(otelstamp.Options{MeterProvider: sdk.NewMeterProvider(sdk.WithReader(p.reader))})
	require.NoError(t, err)
	listener := p.metrics.Listener()
	f, err := fence.New(p.records, fence.Options{Space: "shop", Listener: listener})
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close(context.Background()) })
	p.cfg, err = stamp.NewConfig(stamp.Options{
		Layout: stamp.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12}, Node: node.Static(3),
		Clock: p.clock, Fence: f, Listener: listener, Registry: sequence.NewRegistry(),
	})
	require.NoError(t, err)
	p.provider, err = segment.NewProvider(p.counters, segment.ProviderOptions{
		Namespace:  "shop",
		Generators: map[string]segment.Options{"invoices": {Mode: segment.Sync, Step: 10}},
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = p.provider.Close() })
	p.numbers, err = stamp.NewConfig(stamp.Options{Source: p.provider, Layout: stamp.Layout{Sequence: 63}})
	require.NoError(t, err)
	require.NoError(t, p.metrics.Watch("clock", p.cfg))
	require.NoError(t, p.metrics.Watch("numbers", p.numbers))
	require.NoError(t, p.metrics.WatchProvider(p.provider))
	return p
}

// collect returns all points by name and attributes, as name{key=value,…}.
func (p *program) collect() map[string]float64 {
	p.t.Helper()
	var all metricdata.ResourceMetrics
	require.NoError(p.t, p.reader.Collect(context.Background(), &all))
	points := map[string]float64{}
	put := func(name string, set attribute.Set, value float64) {
		points[name+"{"+set.Encoded(attribute.DefaultEncoder())+"}"] = value
	}
	for _, scope := range all.ScopeMetrics {
		require.Equal(p.t, otelstamp.Scope, scope.Scope.Name)
		for _, m := range scope.Metrics {
			require.NotEmpty(p.t, m.Description, m.Name)
			require.NotEmpty(p.t, m.Unit, m.Name)
			switch data := m.Data.(type) {
			case metricdata.Gauge[float64]:
				for _, point := range data.DataPoints {
					put(m.Name, point.Attributes, point.Value)
				}
			case metricdata.Sum[int64]:
				require.True(p.t, data.IsMonotonic, m.Name)
				for _, point := range data.DataPoints {
					put(m.Name, point.Attributes, float64(point.Value))
				}
			case metricdata.Sum[float64]:
				require.True(p.t, data.IsMonotonic, m.Name)
				for _, point := range data.DataPoints {
					put(m.Name, point.Attributes, point.Value)
				}
			default:
				require.Fail(p.t, "unexpected kind", "%s is a %T", m.Name, data)
			}
		}
	}
	return points
}

func (p *program) requirePoints(want map[string]float64) {
	p.t.Helper()
	points := p.collect()
	for name, value := range want {
		require.Contains(p.t, points, name)
		require.Equal(p.t, value, points[name], name)
	}
}

func TestObserved(t *testing.T) {
	p := newProgram(t)
	require.NoError(t, p.cfg.Open(t.Context()))
	gen := stamp.MustGenerator("orders", p.cfg)
	in, err := gen.In(1)
	require.NoError(t, err)
	_, err = in.Append(t.Context(), nil, 3*4096) // two overflows, and 2 ms ahead
	require.NoError(t, err)
	for range 15 {
		_, err := stamp.Next("invoices", p.numbers)
		require.NoError(t, err)
	}
	telemetry.Emit(p.metrics.Listener(), telemetry.ClockOffset{Offset: time.Second})
	require.Eventually(t, func() bool { // the event comes after those whom it let pass
		return p.collect()["stamp.fence.renewals{stamp.space=shop}"] == 1
	}, 10*time.Second, time.Millisecond)
	const of = "{stamp.generator=invoices,stamp.namespace=shop}"
	p.requirePoints(map[string]float64{
		"stamp.ready{stamp.config=clock}":                       1,
		"stamp.ahead{stamp.config=clock}":                       0.002,
		"stamp.fence.left{stamp.config=clock,stamp.space=shop}": 3,
		"stamp.fence.held{stamp.config=clock,stamp.space=shop}": 1,
		"stamp.fence.renewals{stamp.space=shop}":                1,
		"stamp.ids{stamp.sequence=orders}":                      3 * 4096,
		"stamp.overflows{stamp.sequence=orders}":                2,
		"stamp.clock.offset{}":                                  1,
		"stamp.segment.ids" + of:                                15,
		"stamp.segment.current.ids" + of:                        5,
		"stamp.segment.fetch.duration.count" + of:               2,
		"stamp.segment.wait.duration.count" + of:                2,
		"stamp.segment.rollbacks" + of:                          0,
		"stamp.segment.stopped" + of:                            0,
	})
	require.NotContains(t, p.collect(), "stamp.left{stamp.config=numbers}", "it is without end")
	require.Positive(t, p.collect()["stamp.segment.fetch.duration.sum"+of])
	require.Positive(t, p.collect()["stamp.segment.fetch.duration.p99"+of])

	// The store goes back, and a renewal of the fence fails.
	require.NoError(t, p.counters.Snapshot(t.Context()))
	for range 6 {
		_, err := stamp.Next("invoices", p.numbers)
		require.NoError(t, err)
	}
	require.NoError(t, p.counters.Restore(t.Context()))
	for range 9 {
		_, err := stamp.Next("invoices", p.numbers)
		require.NoError(t, err)
	}
	_, err = stamp.Next("invoices", p.numbers)
	require.ErrorIs(t, err, stamp.ErrRolledBack)
	p.records.SetPlan(func(storetest.Call) storetest.Fault { return storetest.Fault{Kind: storetest.FailBefore} })
	p.clock.Advance(2 * time.Second)
	require.Eventually(t, func() bool {
		return p.collect()["stamp.fence.failures{stamp.space=shop}"] > 0
	}, 10*time.Second, time.Millisecond)
	p.requirePoints(map[string]float64{
		"stamp.ready{stamp.config=numbers}": 0,
		"stamp.segment.rollbacks" + of:      1,
		"stamp.segment.stopped" + of:        1,
	})

	p.cfg.Registry().Drop("orders")
	require.NotContains(t, p.collect(), "stamp.ids{stamp.sequence=orders}")
	require.NoError(t, p.metrics.Shutdown())
	require.NoError(t, p.metrics.Shutdown())
	require.Empty(t, p.collect())
}

func TestCollectWhileIDsComeAndGo(t *testing.T) {
	p := newProgram(t)
	require.NoError(t, p.cfg.Open(t.Context()))
	var making sync.WaitGroup
	for _, id := range []string{"a", "b"} {
		making.Go(func() {
			for range 200 {
				if _, err := stamp.NextIn(id, p.cfg, 1); err != nil {
					t.Error(err)
				}
				if _, err := stamp.Next("invoices", p.numbers); err != nil {
					t.Error(err)
				}
				p.cfg.Registry().Drop(id)
			}
		})
	}
	for range 20 {
		p.collect()
	}
	making.Wait()
	p.requirePoints(map[string]float64{"stamp.segment.ids{stamp.generator=invoices,stamp.namespace=shop}": 400})
}

func TestWhatCannotBeWatched(t *testing.T) {
	p := newProgram(t)
	require.ErrorIs(t, p.metrics.Watch("clock", p.cfg), otelstamp.ErrWatched)
	require.ErrorIs(t, p.metrics.Watch("nil", nil), otelstamp.ErrWatched)
	require.ErrorIs(t, p.metrics.WatchProvider(p.provider), otelstamp.ErrWatched)
}
