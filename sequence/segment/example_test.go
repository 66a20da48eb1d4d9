package segment_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/telemetry"
)

func Example() {
	counters := store.NewMemory() // shared by all processes, in earnest
	orders, err := segment.New(counters, store.Key{Namespace: "shop", Name: "orders"}, segment.Options{Step: 1000})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer orders.Close() //nolint:errcheck // always nil
	ctx := context.Background()
	if err := orders.Warm(ctx); err != nil {
		fmt.Println(err)
		return
	}
	id, err := orders.Next(ctx)
	fmt.Println(id, err)
	ids, err := segment.Append(ctx, orders, []int64(nil), 3)
	fmt.Println(ids, err)
	// Output:
	// 1 <nil>
	// [2 3 4] <nil>
}

// Invoice numbers that begin anew each day of local time.
func ExampleGenerator_NextGrouped() {
	now := clock.NewManual(time.Date(2026, 1, 1, 22, 59, 59, 0, time.UTC))
	invoices, err := segment.New(store.NewMemory(), store.Key{Namespace: "shop", Name: "invoice"}, segment.Options{
		Group: segment.Group{Period: segment.Day, Zone: time.FixedZone("CET", 3600)},
		Clock: now,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer invoices.Close() //nolint:errcheck // always nil
	for range 3 {
		v, err := invoices.NextGrouped(context.Background())
		fmt.Printf("%s-%04d %v\n", v.Group, v.Value, err)
		now.Advance(700 * time.Millisecond)
	}
	// Output:
	// 20260101-0001 <nil>
	// 20260101-0002 <nil>
	// 20260102-0001 <nil>
}

func ExampleProvider() {
	p, err := segment.NewProvider(store.NewMemory(), segment.ProviderOptions{
		Namespace:  "shop",
		Defaults:   segment.Options{Step: 100},
		Generators: map[string]segment.Options{"orders": {Step: 1000}, "invoices": {Mode: segment.Sync, Step: 1}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close() //nolint:errcheck // always nil
	_, err = p.Generator("order")
	fmt.Println(err)
	// Output:
	// segment: unknown generator "order", there are: __share__, invoices, orders
}

func ExampleNewSlogListener() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: withoutTime}))
	listener := segment.NewSlogListener(logger, telemetry.SlogOptions{})

	// Set as Options.Listener, it is called so by generators:
	orders := store.Key{Namespace: "shop", Name: "orders"}
	listener.OnFetch(segment.Fetched{Counter: orders, First: 1, Last: 1000}) // at level Debug
	listener.OnHunger(segment.Hunger{Counter: orders, From: 2, To: 4})
	listener.OnRolledBack(segment.RolledBack{Counter: orders, Mark: 2000, Store: 500})
	// Output:
	// level=INFO msg="segment: callers found no numbers" counter=shop.orders distance_before=2 distance=4
	// level=ERROR msg="segment: store was rolled back, generator stopped, see docs/segments.md" counter=shop.orders mark=2000 store=500 missing=false
}

func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}
