package main

import (
	"context"
	"testing"

	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

// Allocation is how often a call allocates.
type Allocation struct {
	Name  string  `json:"name"`
	Count float64 `json:"count"`
	Limit float64 `json:"limit"`
	Pass  bool    `json:"pass"`
}

func allocations() []Allocation {
	const runs = 10_000
	o := options()
	o.Codec, o.Prefix = encode.Base62, "ord_"
	g := generator(o)
	c := g.Config()
	id := must(g.Next())
	text := must(c.Encode(id))
	buf := make([]byte, 0, 64)
	ids := make([]stamp.ID, 0, batch)
	ctx := context.Background()
	k := new(sink)
	var rows []Allocation
	add := func(name string, limit float64, call func() error) {
		n := testing.AllocsPerRun(runs, func() { must(0, call()) })
		rows = append(rows, Allocation{name, n, limit, n <= limit})
	}
	add("Generator.Next", 0, func() error { _, err := g.Next(); return err })
	add("stamp.Next", 0, func() error { _, err := stamp.Next(sequenceID, c); return err })
	add("Generator.Append, 1000 ids", 0, func() error { _, err := g.Append(ctx, ids, batch); return err })
	add("Config.AppendEncode", 0, func() error { _, err := c.AppendEncode(buf, id); return err })
	add("Config.Encode", 1, func() (err error) { k.text, err = c.Encode(id); return err })
	add("Config.Decode", 0, func() error { _, err := c.Decode(text); return err })
	chain := segments(store.NewMemory(), segment.Chain)
	add("segment.Generator.Next, chain", 0, func() error { _, err := chain.Next(ctx); return err })
	return rows
}
