package stamp_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/partition"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/stamp"
)

// exampleOptions are those of a program, but with a clock that stands still
// and a registry of their own, for output that is always the same.
func exampleOptions() stamp.Options {
	return stamp.Options{
		Layout: stamp.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12},
		Epoch:  time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Node:   node.Static(3),
		Codec:  encode.Base62, Prefix: "ord_",
		Partition: partition.FromContext,
		Clock:     clock.NewManual(time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)),
		Registry:  sequence.NewRegistry(),
	}
}

func ExampleNewConfig() {
	cfg, err := stamp.NewConfig(exampleOptions())
	fmt.Println(err)
	fmt.Println(cfg.Layout(), "until", cfg.End().Year())

	_, err = stamp.NewConfig(stamp.Options{Layout: stamp.Layout{Time: 41, Node: 10, Sequence: 13}, Timeout: -1})
	fmt.Println(err)
	// Output:
	// <nil>
	// 4/41/6/12 until 2095
	// bits: widths add up to 64 bits, want exactly 63 or 53
	// stamp: invalid options: no Node, but the layout has 10 node bits
	// stamp: invalid options: Timeout -1ns is negative
}

func ExampleNext() {
	cfg := stamp.MustConfig(stamp.Options{
		Epoch:    time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Node:     node.Static(3),
		Clock:    clock.NewManual(time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)),
		Registry: sequence.NewRegistry(),
	})
	for range 2 {
		id, err := stamp.Next("orders", cfg)
		fmt.Println(id, err)
	}
	// Output:
	// 77007421440098304 <nil>
	// 77007421440098305 <nil>
}

func ExampleNextContext() {
	cfg := stamp.MustConfig(exampleOptions())
	ctx := partition.NewContext(context.Background(), partition.Of("tenant-17", 4))
	id, err := stamp.NextContext(ctx, "orders", cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	parts, _ := cfg.Unpack(id)
	fmt.Println(parts.Partition == partition.Of("tenant-17", 4))

	_, err = stamp.NextContext(context.Background(), "orders", cfg)
	fmt.Println(errors.Is(err, stamp.ErrNoPartition))
	// Output:
	// true
	// true
}

func ExampleNextIn() {
	cfg := stamp.MustConfig(exampleOptions())
	id, err := stamp.NextIn("orders", cfg, 9)
	if err != nil {
		fmt.Println(err)
		return
	}
	parts, _ := cfg.Unpack(id)
	fmt.Println("partition", parts.Partition, "node", parts.Node, "sequence", parts.Sequence)

	_, err = stamp.NextIn("orders", cfg, 16)
	fmt.Println(err)
	// Output:
	// partition 9 node 3 sequence 0
	// bits: partition 16 is above the largest, 15
}

func ExampleConfig_Encode() {
	cfg := stamp.MustConfig(exampleOptions())
	id, _ := stamp.NextIn("orders", cfg, 9)
	text, err := cfg.Encode(id)
	fmt.Println(text, err)
	// Output:
	// ord_6BboGFBRooa <nil>
}

func ExampleConfig_Decode() {
	cfg := stamp.MustConfig(exampleOptions())
	id, err := cfg.Decode("ord_6BboGFBRooa")
	fmt.Println(id, err)
	at, err := cfg.Time(id)
	fmt.Println(at, err)

	for _, text := range []string{"usr_6BboGFBRooa", "ord_6BboGFBRoo", "ord_zzzzzzzzzzz"} {
		_, err := cfg.Decode(text)
		fmt.Println(err)
	}
	// Output:
	// 5192959734570823680 <nil>
	// 2026-08-01 12:00:00 +0000 UTC <nil>
	// encode: text "usr_6BboGFBRooa" lacks the prefix "ord_"
	// encode: base62 text "ord_6BboGFBRoo" has a syntax error at byte 14, where it ends
	// encode: base62 text "ord_zzzzzzzzzzz" is outside 1 to 9223372036854775807
}

func ExampleGenerator_Append() {
	cfg := stamp.MustConfig(exampleOptions())
	orders, err := stamp.MustGenerator("orders", cfg).In(9)
	if err != nil {
		fmt.Println(err)
		return
	}
	ids, err := orders.Append(context.Background(), nil, 3)
	for _, id := range ids {
		fmt.Println(id)
	}
	fmt.Println(err)
	// Output:
	// 5192959734570823680
	// 5192959734570823681
	// 5192959734570823682
	// <nil>
}

func ExampleGenerator_NextAt() {
	o := exampleOptions()
	o.Layout, o.Partition = stamp.Layout{Time: 41, Node: 6, Sequence: 16}, nil
	cfg := stamp.MustConfig(o)
	orders := stamp.MustGenerator("orders", cfg)
	noon := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	for _, t := range []time.Time{noon, noon.Add(-time.Minute), noon.Add(time.Second), noon.Add(48 * time.Hour)} {
		id, err := orders.NextAt(t)
		if err != nil {
			fmt.Println(err)
			continue
		}
		at, _ := cfg.Time(id)
		fmt.Println(at.Format(time.TimeOnly))
	}
	// Output:
	// 12:00:00
	// 12:00:00
	// 12:00:01
	// sequence: "orders" would be 48h0m0s ahead of the clock, more than 1h0m0s
}

func ExampleConfig_TimeRange() {
	cfg := stamp.MustConfig(exampleOptions())
	day := time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC)
	r, err := cfg.TimeRange(9, day, day.AddDate(0, 0, 1))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("WHERE id BETWEEN %d AND %d\n", r.First, r.Last)
	id, _ := stamp.NextIn("orders", cfg, 9)
	fmt.Println(r.Contains(int64(id)))
	// Output:
	// WHERE id BETWEEN 5192948409950011392 AND 5192971059191611391
	// true
}

func ExampleConfig_Compose() {
	cfg := stamp.MustConfig(exampleOptions())
	past := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	id, err := cfg.Compose(stamp.Parts{
		Partition: 9, Time: uint64(cfg.Timescale().Units(past)), Node: 63, Sequence: 17,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	at, _ := cfg.Time(id)
	fmt.Println(at.Equal(past))
	// Output:
	// true
}
