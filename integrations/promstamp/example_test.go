package promstamp_test

import (
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/stampid/go-stamp/integrations/promstamp"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/telemetry"
)

// A program would serve the registry with promhttp.HandlerFor.
func Example() {
	cfg := stamp.MustConfig(stamp.Options{Node: node.Static(3)})
	provider, err := segment.NewProvider(store.NewMemory(), segment.ProviderOptions{
		Namespace: "shop", Generators: map[string]segment.Options{"invoices": {Step: 1000}},
	})
	if err != nil {
		log.Fatal(err)
	}

	metrics := promstamp.New(promstamp.Options{})
	defer telemetry.SubscribeListener(metrics.Listener())()
	registry := prometheus.NewRegistry()
	registry.MustRegister(metrics)
	if err := errors.Join(metrics.Watch("main", cfg), metrics.WatchProvider(provider)); err != nil {
		log.Fatal(err)
	}

	for range 5 {
		if _, err := stamp.Next("promstamp.orders", cfg); err != nil {
			log.Fatal(err)
		}
	}
	families, err := registry.Gather()
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range families {
		if strings.HasPrefix(f.GetName(), "stamp_ids") {
			fmt.Println(f.GetName(), f.GetMetric()[0].GetCounter().GetValue())
		}
	}
	// Output: stamp_ids_total 5
}
