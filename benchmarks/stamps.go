package main

import (
	"context"
	"fmt"
	"time"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/stamp"
)

const sequenceID = "orders"

// options are go-stamp's defaults, and a registry of their own.
func options() stamp.Options {
	return stamp.Options{Node: node.Static(3), Registry: sequence.NewRegistry()}
}

// portable is o with a clock of the operating system's only.
func portable(o stamp.Options) stamp.Options {
	o.Clock = portableClock
	return o
}

var portableClock = clock.NewSystem(clock.Options{Strategy: clock.Portable})

// layout is options with another layout; node bits get a node number.
func layout(l stamp.Layout) stamp.Options {
	o := options()
	o.Layout = l
	o.Node = nil
	if l.Node > 0 {
		o.Node = node.Static(1)
	}
	return o
}

// waiting is o with ids that are never ahead of the clock.
func waiting(o stamp.Options) stamp.Options {
	o.MaxAhead, o.AheadPolicy = 0, stamp.Wait
	return o
}

// recent is an epoch for layouts with few bits of time.
func recent() time.Time {
	return time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -30)
}

func generator(o stamp.Options) *stamp.Generator {
	return must(stamp.NewGenerator(sequenceID, must(stamp.NewConfig(o))))
}

// stampNext is Generator.Next, all goroutines on one sequence.
func stampNext(o stamp.Options) *subject {
	return shared("Generator.Next", next(generator(o)))
}

// stampWaiting is Generator.Next where the clock bounds the rate.
func stampWaiting(o stamp.Options) *subject {
	s := stampNext(waiting(o))
	s.quota = 1 << o.Layout.Sequence
	return s
}

// stampPerGoroutine gives each goroutine a partition of its own.
func stampPerGoroutine(strategy func(stamp.Options) stamp.Options) *subject {
	g := generator(strategy(layout(stamp.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12})))
	return &subject{name: "Generator.Next, a partition per goroutine", worker: func(i int) work {
		return next(must(g.In(uint64(i % 16))))
	}}
}

func next(g *stamp.Generator) work {
	return func(n int) (uint64, error) {
		var id stamp.ID
		var err error
		for range n {
			if id, err = g.Next(); err != nil {
				return 0, err
			}
		}
		return uint64(id), nil
	}
}

// stampByID is the function Next.
func stampByID(c *stamp.Config, id string) *subject {
	return shared("stamp.Next", func(n int) (uint64, error) {
		var got stamp.ID
		var err error
		for range n {
			if got, err = stamp.Next(id, c); err != nil {
				return 0, err
			}
		}
		return uint64(got), nil
	})
}

// nextAndAdds is what stamp.Next is allowed to cost: Generator.Next and 1.2
// atomic adds.
func nextAndAdds(g *stamp.Generator) *subject {
	nextID := next(g)
	adds := atomicAdd().worker(0)
	return shared("Generator.Next + 1.2 atomic adds", func(n int) (uint64, error) {
		last, err := nextID(n)
		if err != nil {
			return 0, err
		}
		_, err = adds(n + n/5)
		return last, err
	})
}

const batch = 1000

// stampAppend claims batches into room that is there. What is counted is ids.
func stampAppend(o stamp.Options) *subject {
	g := generator(o)
	return &subject{name: "Generator.Append", worker: func(int) work {
		room := make([]stamp.ID, 0, batch)
		ctx := context.Background()
		return func(n int) (last uint64, err error) {
			for left := n; left > 0; left -= batch {
				ids, err := g.Append(ctx, room, min(left, batch))
				if err != nil {
					return 0, err
				}
				last = uint64(ids[len(ids)-1])
			}
			return last, nil
		}
	}}
}

// stampText makes an id and its text with a prefix.
func stampText(o stamp.Options) *subject {
	o.Codec, o.Prefix = encode.Base62, "ord_"
	g := generator(o)
	s := shared("Generator.Next and Encode", func(n int) (uint64, error) {
		var text string
		for range n {
			id, err := g.Next()
			if err != nil {
				return 0, err
			}
			if text, err = g.Config().Encode(id); err != nil {
				return 0, err
			}
		}
		return digest([]byte(text)), nil
	})
	s.garbage = true
	return s
}

// manyIDs is a configuration that serves n sequence ids, and the last of them.
func manyIDs(n int) (*stamp.Config, string) {
	c := must(stamp.NewConfig(options()))
	var id string
	for i := range n {
		id = fmt.Sprintf("table-%04d", i)
		must(stamp.Next(id, c))
	}
	return c, id
}
