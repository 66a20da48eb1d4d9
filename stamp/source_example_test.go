package stamp_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

// exampleProvider reserves numbers from counters in memory; a program takes a
// store that its instances share. The clock of its days stands still, for
// output that is always the same.
func exampleProvider(o segment.Options) *segment.Provider {
	o.Clock = clock.NewManual(time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC))
	provider, err := segment.NewProvider(store.NewMemory(), segment.ProviderOptions{
		Namespace:  "shop",
		Generators: map[string]segment.Options{"orders": o},
	})
	if err != nil {
		panic(err)
	}
	return provider
}

// Ids from a shared counter, each partition with its own.
func ExampleOptions_source() {
	provider := exampleProvider(segment.Options{Step: 100})
	defer func() { _ = provider.Close() }()
	cfg := stamp.MustConfig(stamp.Options{
		Source: provider,
		Layout: stamp.Layout{Partition: 4, Sequence: 59},
		Codec:  encode.Base62, Prefix: "ord_",
	})
	for range 2 {
		id, err := stamp.NextIn("orders", cfg, 3)
		if err != nil {
			fmt.Println(err)
			return
		}
		text, _ := cfg.Encode(id)
		parts, _ := cfg.Unpack(id)
		fmt.Println(id, text, "partition", parts.Partition, "number", parts.Sequence)
	}
	_, err := stamp.NextIn("invoices", cfg, 3)
	fmt.Println(errors.Is(err, stamp.ErrUnknownName), err)
	// Output:
	// 1729382256910270465 ord_23kaWRE8iGn partition 3 number 1
	// 1729382256910270466 ord_23kaWRE8iGo partition 3 number 2
	// true segment: unknown generator "invoices", there are: __share__, orders
}

// Numbers that begin anew each day, with the day in the id's time bits: 16 are
// enough for 179 years.
func ExampleOptions_sourceByDay() {
	provider := exampleProvider(segment.Options{Group: segment.Group{Period: segment.Day}})
	defer func() { _ = provider.Close() }()
	cfg := stamp.MustConfig(stamp.Options{
		Source: provider,
		Layout: stamp.Layout{Time: 16, Sequence: 47},
		Epoch:  time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC),
	})
	id, err := stamp.Next("orders", cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	day, err := cfg.Time(id)
	fmt.Println(id, day.Format(time.DateOnly), err)
	// Output:
	// 51369183249694721 2026-01-01 <nil>
}

// Without time bits in the layout an id is unique together with its group.
func ExampleNextGrouped() {
	provider := exampleProvider(segment.Options{Group: segment.Group{Period: segment.Day}})
	defer func() { _ = provider.Close() }()
	cfg := stamp.MustConfig(stamp.Options{Source: provider})
	for range 2 {
		v, err := stamp.NextGrouped(context.Background(), "orders", cfg)
		fmt.Println(v.Group, v.ID, err)
	}
	_, err := stamp.Next("orders", cfg)
	fmt.Println(errors.Is(err, stamp.ErrGrouped))
	// Output:
	// 20260101 1 <nil>
	// 20260101 2 <nil>
	// true
}

// A business number, and back.
func ExampleNewFormat() {
	provider := exampleProvider(segment.Options{Group: segment.Group{Period: segment.Day}})
	defer func() { _ = provider.Close() }()
	cfg := stamp.MustConfig(stamp.Options{Source: provider})
	numbers, err := stamp.NewFormat("orders", cfg, encode.FormatOptions{Prefix: "BIZ-", Group: true, Width: 8})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := stamp.NextGrouped(context.Background(), "orders", cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := numbers.EncodeGrouped(v)
	fmt.Println(text, err)
	back, err := numbers.DecodeGrouped("BIZ-20260101-00000001")
	fmt.Println(back.Group, back.ID, back == v, err)
	// Output:
	// BIZ-20260101-00000001 <nil>
	// 20260101 1 true <nil>
}

// The readable form of an id from the clock, and a text with a wrong date.
func ExampleFormat_Decode() {
	o := exampleOptions()
	o.Layout, o.Partition = stamp.Layout{Time: 41, Node: 6, Sequence: 16}, nil
	cfg := stamp.MustConfig(o)
	readable, err := stamp.NewFormat("orders", cfg, encode.FormatOptions{Base: encode.Readable})
	if err != nil {
		fmt.Println(err)
		return
	}
	dated, err := stamp.NewFormat("orders", cfg, encode.FormatOptions{Base: encode.Radix62, Date: "20060102"})
	if err != nil {
		fmt.Println(err)
		return
	}
	id, err := readable.Decode("20260801120000000-3-17")
	fmt.Println(id, err)
	text, err := dated.Encode(id)
	fmt.Println(text, err)

	_, err = dated.Decode("20260802" + text[8:])
	fmt.Println(errors.Is(err, stamp.ErrMismatch))
	// Output:
	// 77007421440196625 <nil>
	// 20260801-05gh4q0Qq4P <nil>
	// true
}
