package promstamp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/integrations/promstamp"
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

// program makes ids of both sources with a collector on both.
type program struct {
	t         *testing.T
	collector *promstamp.Collector
	registry  *prometheus.Registry
	server    *httptest.Server

	clock    *clock.Manual
	cfg      *stamp.Config
	records  *storetest.FaultyRecords
	counters *storetest.Faulty
	provider *segment.Provider
	numbers  *stamp.Config
}

func newProgram(t *testing.T) *program {
	p := &program{
		t: t, collector: promstamp.New(promstamp.Options{}), registry: prometheus.NewPedanticRegistry(),
		clock:    clock.NewManual(start),
		records:  storetest.NewFaultyRecords(store.NewMemory(), nil),
		counters: storetest.NewFaulty(store.NewMemory(), nil),
	}
	require.NoError(t, p.registry.Register(p.collector))
	p.server = httptest.NewServer(promhttp.HandlerFor(p.registry, promhttp.HandlerOpts{}))
	t.Cleanup(p.server.Close)

	listener := p.collector.Listener()
	f, err := fence.New(p.records, fence.Options{Space: "shop", Listener: listener})
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close(context.Background()) })
	p.cfg, err = stamp.NewConfig(stamp.Options{
		Layout: stamp.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12}, Node: node.Static(3),
		Clock: p.clock, Fence: f, Listener: listener, Registry: sequence.NewRegistry(),
	})
	require.NoError(t, err)
	p.provider, err = segment.NewProvider(p.counters, segment.ProviderOptions{
		Namespace: "shop",
		Generators: map[string]segment.Options{"invoices": {
			Mode: segment.Sync, Step: 10, BackoffMin: time.Hour, BackoffMax: time.Hour,
		}},
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = p.provider.Close() })
	p.numbers, err = stamp.NewConfig(stamp.Options{Source: p.provider, Layout: stamp.Layout{Partition: 4, Sequence: 59}})
	require.NoError(t, err)
	require.NoError(t, p.collector.Watch("clock", p.cfg))
	require.NoError(t, p.collector.Watch("numbers", p.numbers))
	require.NoError(t, p.collector.WatchProvider(p.provider))
	return p
}

// scrape is what Prometheus gets, line by line.
func (p *program) scrape() string {
	p.t.Helper()
	answer, err := http.Get(p.server.URL)
	require.NoError(p.t, err)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	require.NoError(p.t, err)
	require.Equal(p.t, http.StatusOK, answer.StatusCode, "%s", text)
	return string(text)
}

// requireLines looks for samples in a scrape.
func (p *program) requireLines(lines ...string) {
	p.t.Helper()
	text := p.scrape()
	for _, line := range lines {
		require.True(p.t, strings.Contains(text, "\n"+line+"\n"), "no line %q in\n%s", line, text)
	}
}

func TestScrapeOfTheClock(t *testing.T) {
	p := newProgram(t)
	require.NoError(t, p.cfg.Open(t.Context()))
	gen := stamp.MustGenerator("orders", p.cfg)
	for partition := range uint64(3) {
		in, err := gen.In(partition)
		require.NoError(t, err)
		_, err = in.Append(t.Context(), nil, 3*4096) // two overflows, and 2 ms ahead
		require.NoError(t, err)
	}
	telemetry.Emit(p.collector.Listener(), telemetry.Duplicate{SequenceID: "orders", ID: 7})
	p.requireLines(
		`stamp_ready{config="clock"} 1`,
		`stamp_ahead_seconds{config="clock"} 0.002`,
		`stamp_fence_held{config="clock",space="shop"} 1`,
		`stamp_fence_left_seconds{config="clock",space="shop"} 3`,
		`stamp_left_seconds{config="clock"} 3`,
		`stamp_ids_total{sequence="orders"} 36864`,
		`stamp_sequences{sequence="orders"} 3`,
		`stamp_sequences_unlisted 0`,
		`stamp_overflows_total{sequence="orders"} 6`,
		`stamp_duplicates_total{sequence="orders"} 1`,
		`stamp_fence_renewals_total{space="shop"} 1`,
		`stamp_fence_lost_total{space="shop"} 0`,
	)
	require.NotContains(t, p.scrape(), `partition="`)

	// The store goes away: renewals fail, and the bound comes nearer.
	p.records.SetPlan(func(storetest.Call) storetest.Fault { return storetest.Fault{Kind: storetest.FailBefore} })
	p.clock.Advance(2 * time.Second)
	require.Eventually(t, func() bool {
		return !strings.Contains(p.scrape(), `stamp_fence_failures_total{space="shop"} 0`)
	}, 10*time.Second, time.Millisecond)
	p.requireLines(
		`stamp_ready{config="clock"} 1`,
		`stamp_fence_left_seconds{config="clock",space="shop"} 1`,
		`stamp_ahead_seconds{config="clock"} 0`,
	)
	p.clock.Advance(2 * time.Second)
	p.requireLines(`stamp_ready{config="clock"} 0`, `stamp_fence_left_seconds{config="clock",space="shop"} 0`)

	p.cfg.Registry().Drop("orders")
	text := p.scrape()
	require.NotContains(t, text, `stamp_ids_total{sequence="orders"}`)
	require.NotContains(t, text, `stamp_overflows_total{sequence="orders"}`)
	require.Contains(t, text, `stamp_duplicates_total{sequence="orders"} 1`, "somebody must see to it")
}

// A record that another process has taken, which the fence finds at its renewal.
func TestScrapeOfALostFence(t *testing.T) {
	p := newProgram(t)
	require.NoError(t, p.records.Snapshot(t.Context()))
	require.NoError(t, p.cfg.Open(t.Context()))
	require.NoError(t, p.records.Restore(t.Context()))
	p.clock.Advance(2 * time.Second)
	require.Eventually(t, func() bool {
		return strings.Contains(p.scrape(), `stamp_fence_lost_total{space="shop"} 1`)
	}, 10*time.Second, time.Millisecond)
	p.requireLines(`stamp_ready{config="clock"} 0`, `stamp_fence_held{config="clock",space="shop"} 0`)
}

func TestScrapeOfSegments(t *testing.T) {
	p := newProgram(t)
	next := func(partition uint64) error {
		_, err := stamp.NextIn("invoices", p.numbers, partition)
		return err
	}
	for range 15 {
		require.NoError(t, next(1))
	}
	for range 3 {
		require.NoError(t, next(2))
	}
	const of = `{generator="invoices",namespace="shop"}`
	p.requireLines(
		`stamp_ready{config="numbers"} 1`,
		`stamp_left_seconds{config="numbers"} +Inf`,
		`stamp_segment_ids_total`+of+` 18`,
		`stamp_segment_current_ids`+of+` 12`,
		`stamp_segment_reserve_ids`+of+` 0`,
		`stamp_segment_fetches_total`+of+` 3`,
		`stamp_segment_fetch_failures_total`+of+` 0`,
		`stamp_segment_fetch_duration_seconds_count`+of+` 3`,
		`stamp_segment_fetch_duration_seconds_bucket{generator="invoices",namespace="shop",le="+Inf"} 3`,
		`stamp_segment_fetch_duration_seconds_bucket{generator="invoices",namespace="shop",le="17.179869184"} 3`,
		`stamp_segment_wait_duration_seconds_count`+of+` 3`,
		`stamp_segment_stopped`+of+` 0`,
		`stamp_segment_audited`+of+` 0`,
		`stamp_duplicates_total{sequence="shop.invoices"} 0`,
	)
	p.provider.Drop("invoices", 1)
	p.requireLines(`stamp_segment_ids_total`+of+` 18`, `stamp_segment_current_ids`+of+` 7`)

	require.NoError(t, p.counters.Snapshot(t.Context()))
	for range 8 { // which takes a segment that the store forgets
		require.NoError(t, next(2))
	}
	require.NoError(t, p.counters.Restore(t.Context()))
	for range 9 {
		require.NoError(t, next(2))
	}
	require.ErrorIs(t, next(2), stamp.ErrRolledBack)
	p.requireLines(
		`stamp_ready{config="numbers"} 0`,
		`stamp_segment_stopped`+of+` 1`,
		`stamp_segment_rollbacks_total`+of+` 1`,
		`stamp_segment_ids_total`+of+` 35`,
	)

	lost := storetest.Fault{Kind: storetest.LoseReply}
	p.counters.SetPlan(storetest.Script(storetest.OpAllocate, lost, lost)) // the first finds no counter
	require.Error(t, next(3))
	p.requireLines(
		`stamp_segment_fetch_failures_total`+of+` 1`,
		`stamp_segment_wasted_ids_total{generator="invoices",namespace="shop",reason="unknown"} 10`,
		`stamp_segment_backing_off`+of+` 1`,
	)
}

func TestLint(t *testing.T) {
	p := newProgram(t)
	require.NoError(t, p.cfg.Open(t.Context()))
	_, err := stamp.NextIn("orders", p.cfg, 1)
	require.NoError(t, err)
	l := p.collector.Listener()
	telemetry.Emit(l, telemetry.Ahead{SequenceID: "orders", Threshold: time.Second})
	telemetry.Emit(l, telemetry.ClockStep{Kind: telemetry.StepBack})
	telemetry.Emit(l, telemetry.ClockOffset{Offset: time.Second})
	telemetry.Emit(l, telemetry.ClockOffset{Err: io.EOF})
	problems, err := testutil.GatherAndLint(p.registry)
	require.NoError(t, err)
	require.Empty(t, problems)

	// Everything that is described is there.
	described := make(chan *prometheus.Desc, 1000)
	p.collector.Describe(described)
	close(described)
	families, err := p.registry.Gather()
	require.NoError(t, err)
	require.Len(t, families, len(described))
	require.NotZero(t, len(families))
}

func TestSequencesBeyondTheMaximum(t *testing.T) {
	registry := sequence.NewRegistry()
	cfg, err := stamp.NewConfig(stamp.Options{Node: node.Static(3), Registry: registry})
	require.NoError(t, err)
	c := promstamp.New(promstamp.Options{MaxSequences: 2})
	require.NoError(t, c.Watch("all", cfg))
	families := prometheus.NewPedanticRegistry()
	require.NoError(t, families.Register(c))
	use := func(ids ...string) {
		for _, id := range ids {
			_, err := stamp.Next(id, cfg)
			require.NoError(t, err)
		}
	}
	listed := func() string {
		all, err := families.Gather()
		require.NoError(t, err)
		text := ""
		for _, f := range all {
			for _, m := range f.GetMetric() {
				switch f.GetName() {
				case "stamp_sequences":
					text += m.GetLabel()[0].GetValue() + " "
				case "stamp_sequences_unlisted":
					text += fmt.Sprint(m.GetGauge().GetValue())
				}
			}
		}
		return text
	}
	use("c", "d\xff")
	require.Equal(t, "c d\uFFFD 0", listed())
	use("a", "b")
	require.Equal(t, "c d\uFFFD 2", listed(), "what has a series keeps it")
	registry.Drop("c")
	registry.Drop("a")
	require.Equal(t, "b d\uFFFD 0", listed())
}

func TestWhatCannotBeWatched(t *testing.T) {
	p := newProgram(t)
	for name, cfg := range map[string]*stamp.Config{"": p.cfg, "nil": nil, "clock": p.cfg, "a\xff": p.cfg} {
		require.ErrorIs(t, p.collector.Watch(name, cfg), promstamp.ErrWatched, name)
	}
	require.ErrorIs(t, p.collector.WatchProvider(nil), promstamp.ErrWatched)
	require.ErrorIs(t, p.collector.WatchProvider(p.provider), promstamp.ErrWatched)
}

func TestANodeSourceThatFails(t *testing.T) {
	cfg, err := stamp.NewConfig(stamp.Options{
		Node: node.Func(func(context.Context) (uint64, error) { return 0, io.EOF }), Registry: sequence.NewRegistry(),
	})
	require.NoError(t, err)
	c := promstamp.New(promstamp.Options{})
	require.NoError(t, c.Watch("clock", cfg))
	require.NoError(t, testutil.CollectAndCompare(c, strings.NewReader(
		"# HELP stamp_ready Whether ids can be made now: 1 or 0.\n# TYPE stamp_ready gauge\nstamp_ready{config=\"clock\"} 0\n"),
		"stamp_ready"))
}
