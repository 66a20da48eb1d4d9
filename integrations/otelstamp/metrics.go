package otelstamp

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"

	"github.com/stampid/go-stamp/internal/metrics"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/telemetry"
)

// Scope is the name of the meter.
const Scope = "github.com/stampid/go-stamp/integrations/otelstamp"

// ErrWatched says that what is to be watched is nil, or that its name isn't fit
// or is taken.
var ErrWatched = metrics.ErrWatched

// Options are the options of [New]. The zero value is the default.
type Options struct {
	// MeterProvider makes the instruments. nil: the global one.
	MeterProvider metric.MeterProvider
	// MaxSequences is how many sequence ids have series of their own. 0: 1000.
	MaxSequences int
}

// Metrics observes what it watches. It is made by [New] and safe for concurrent
// use.
type Metrics struct {
	metrics      *metrics.Collector
	instruments  map[*metrics.Family]instrument
	registration metric.Registration
}

// New makes all instruments and watches nothing yet. The error is the meter's.
func New(o Options) (*Metrics, error) {
	if o.MeterProvider == nil {
		o.MeterProvider = otel.GetMeterProvider()
	}
	m := &Metrics{metrics: metrics.NewCollector(o.MaxSequences)}
	meter := o.MeterProvider.Meter(Scope)
	instruments, all, err := newInstruments(meter)
	if err != nil {
		return nil, err
	}
	m.instruments = instruments
	m.registration, err = meter.RegisterCallback(m.observe, all...)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Listener counts events. Subscribe it process-wide with
// telemetry.SubscribeListener, or set it in stamp.Options, fence.Options and
// segment.Options; both would count an event twice.
func (m *Metrics) Listener() *telemetry.Listener { return m.metrics.Listener() }

// Watch shows a configuration with the attribute stamp.config, and all sequences of its
// registry. It may be called at any time. The error matches [ErrWatched].
func (m *Metrics) Watch(name string, cfg *stamp.Config) error { return m.metrics.Watch(name, cfg) }

// WatchProvider shows all generators of a provider. Of one namespace there can
// be one. It may be called at any time. The error matches [ErrWatched].
func (m *Metrics) WatchProvider(p *segment.Provider) error { return m.metrics.WatchProvider(p) }

// Shutdown ends observing. It may be called again; the error is the meter's.
func (m *Metrics) Shutdown() error { return m.registration.Unregister() }

func (m *Metrics) observe(ctx context.Context, o metric.Observer) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	m.metrics.Collect(ctx, func(s metrics.Sample) { m.instruments[s.Family].observe(o, s) })
	return nil
}
