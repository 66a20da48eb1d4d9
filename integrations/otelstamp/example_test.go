package otelstamp_test

import (
	"context"
	"fmt"
	"log"

	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/stampid/go-stamp/integrations/otelstamp"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/telemetry"
)

// A program would have a reader that exports.
func Example() {
	reader := sdk.NewManualReader()
	metrics, err := otelstamp.New(otelstamp.Options{MeterProvider: sdk.NewMeterProvider(sdk.WithReader(reader))})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = metrics.Shutdown() }()
	defer telemetry.SubscribeListener(metrics.Listener())()

	cfg := stamp.MustConfig(stamp.Options{Node: node.Static(3)})
	if err := metrics.Watch("main", cfg); err != nil {
		log.Fatal(err)
	}
	for range 5 {
		if _, err := stamp.Next("otelstamp.orders", cfg); err != nil {
			log.Fatal(err)
		}
	}
	var all metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &all); err != nil {
		log.Fatal(err)
	}
	for _, m := range all.ScopeMetrics[0].Metrics {
		if ids, ok := m.Data.(metricdata.Sum[int64]); ok && m.Name == "stamp.ids" {
			fmt.Println(m.Name, ids.DataPoints[0].Value)
		}
	}
	// Output: stamp.ids 5
}
