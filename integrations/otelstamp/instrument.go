package otelstamp

import (
	"errors"
	"math"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/stampid/go-stamp/internal/metrics"
)

// A node source has this long to answer.
const patience = time.Second

// instrument is what a family is observed by: a gauge or a counter, or all three
// for a histogram.
type instrument struct {
	gauge metric.Float64ObservableGauge
	// Counts are whole numbers.
	counter metric.Int64ObservableCounter
	sum     metric.Float64ObservableCounter
}

func newInstruments(meter metric.Meter) (map[*metrics.Family]instrument, []metric.Observable, error) {
	instruments := map[*metrics.Family]instrument{}
	var all []metric.Observable
	var errs []error
	for _, f := range metrics.Families() {
		var i instrument
		gauge := func(name, help string) {
			var err error
			i.gauge, err = meter.Float64ObservableGauge(name, metric.WithUnit(f.Unit), metric.WithDescription(help))
			all, errs = append(all, i.gauge), append(errs, err)
		}
		counter := func(name, unit, help string) {
			var err error
			i.counter, err = meter.Int64ObservableCounter(name, metric.WithUnit(unit), metric.WithDescription(help))
			all, errs = append(all, i.counter), append(errs, err)
		}
		switch name := f.OpenTelemetry(); f.Kind {
		case metrics.Counter:
			counter(name, f.Unit, f.Help)
		case metrics.Histogram:
			gauge(name+".p99", f.Help+", the 99th percentile")
			counter(name+".count", "1", f.Help+", how many")
			var err error
			i.sum, err = meter.Float64ObservableCounter(name+".sum", metric.WithUnit(f.Unit),
				metric.WithDescription(f.Help+", all together"))
			all, errs = append(all, i.sum), append(errs, err)
		default:
			gauge(name, f.Help)
		}
		instruments[f] = i
	}
	return instruments, all, errors.Join(errs...)
}

func (i instrument) observe(o metric.Observer, s metrics.Sample) {
	attributes := make([]attribute.KeyValue, len(s.Labels))
	for n, label := range s.Labels {
		attributes[n] = attribute.String("stamp."+label, s.Values[n])
	}
	with := metric.WithAttributeSet(attribute.NewSet(attributes...))
	switch {
	case s.Kind == metrics.Counter:
		o.ObserveInt64(i.counter, int64(s.Value), with)
	case s.Kind == metrics.Histogram:
		o.ObserveInt64(i.counter, int64(s.Times.Count()), with)
		o.ObserveFloat64(i.sum, s.Times.Sum().Seconds(), with)
		o.ObserveFloat64(i.gauge, s.Times.Quantile(0.99).Seconds(), with)
	case !math.IsInf(s.Value, 0): // not every exporter takes it
		o.ObserveFloat64(i.gauge, s.Value, with)
	}
}
