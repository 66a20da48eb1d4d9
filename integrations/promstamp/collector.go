package promstamp

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/stampid/go-stamp/internal/metrics"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/telemetry"
)

// A node source has this long to answer.
const patience = time.Second

// ErrWatched says that what is to be watched is nil, or that its name isn't fit
// or is taken.
var ErrWatched = metrics.ErrWatched

// Options are the options of a collector. The zero value is the default.
type Options struct {
	// MaxSequences is how many sequence ids have series of their own. 0: 1000.
	MaxSequences int
}

// Collector is a prometheus.Collector. It is made by [New] and safe for
// concurrent use.
type Collector struct {
	metrics *metrics.Collector
	descs   map[*metrics.Family]*prometheus.Desc
}

var _ prometheus.Collector = (*Collector)(nil)

// New makes a collector that watches nothing yet.
func New(o Options) *Collector {
	c := &Collector{metrics: metrics.NewCollector(o.MaxSequences), descs: map[*metrics.Family]*prometheus.Desc{}}
	for _, f := range metrics.Families() {
		c.descs[f] = prometheus.NewDesc(f.Prometheus(), f.Help+".", f.Labels, nil)
	}
	return c
}

// Listener counts events. Subscribe it process-wide with
// telemetry.SubscribeListener, or set it in stamp.Options, fence.Options and
// segment.Options; both would count an event twice.
func (c *Collector) Listener() *telemetry.Listener { return c.metrics.Listener() }

// Watch shows a configuration as config="name", and all sequences of its
// registry. It may be called at any time. The error matches [ErrWatched].
func (c *Collector) Watch(name string, cfg *stamp.Config) error { return c.metrics.Watch(name, cfg) }

// WatchProvider shows all generators of a provider. Of one namespace there can
// be one. It may be called at any time. The error matches [ErrWatched].
func (c *Collector) WatchProvider(p *segment.Provider) error { return c.metrics.WatchProvider(p) }

// Describe is that of prometheus.Collector.
func (c *Collector) Describe(descs chan<- *prometheus.Desc) {
	for _, f := range metrics.Families() {
		descs <- c.descs[f]
	}
}

// Collect is that of prometheus.Collector.
func (c *Collector) Collect(values chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c.metrics.Collect(ctx, func(s metrics.Sample) {
		values <- metric(c.descs[s.Family], s)
	})
}

func metric(desc *prometheus.Desc, s metrics.Sample) prometheus.Metric {
	var m prometheus.Metric
	var err error
	switch s.Kind {
	case metrics.Histogram:
		buckets := map[float64]uint64{}
		for _, bound := range metrics.Bounds() {
			buckets[bound.Seconds()] = s.Times.Below(bound)
		}
		m, err = prometheus.NewConstHistogram(desc, s.Times.Count(), s.Times.Sum().Seconds(), buckets, s.Values...)
	case metrics.Counter:
		m, err = prometheus.NewConstMetric(desc, prometheus.CounterValue, s.Value, s.Values...)
	default:
		m, err = prometheus.NewConstMetric(desc, prometheus.GaugeValue, s.Value, s.Values...)
	}
	if err != nil {
		return prometheus.NewInvalidMetric(desc, err)
	}
	return m
}
