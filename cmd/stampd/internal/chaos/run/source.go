package main

import (
	"context"
	"fmt"

	"github.com/stampid/go-stamp/cmd/stampd/internal/chaos"
	"github.com/stampid/go-stamp/cmd/stampd/internal/clockchaos"
)

// source is where ids come from.
type source struct {
	name  string
	run   func(ctx context.Context, kind, folder string) (report, error)
	total func(report) total
}

// report is what one run came to.
type report interface {
	fmt.Stringer
	Err() error
}

// total is what is added up over runs.
type total struct {
	ids, duplicates int64
	kills           int
}

func (t *total) add(o total) {
	t.ids += o.ids
	t.duplicates += o.duplicates
	t.kills += o.kills
}

// source finds the source of a name.
func (o options) source(name string) (source, error) {
	ids := func(usual int64) int64 {
		if o.ids > 0 {
			return o.ids
		}
		return usual
	}
	log := func(format string, args ...any) { fmt.Printf(format+"\n", args...) }
	switch name {
	case "counter":
		return source{name, func(ctx context.Context, kind, folder string) (report, error) {
			return chaos.Run(ctx, chaos.Config{
				Kind: kind, Seed: o.seed, Length: o.each(), Numbers: ids(2_000_000),
				Workers: o.workers, Goroutines: o.goroutines, Folder: folder, Log: log,
			})
		}, func(r report) total {
			c := r.(chaos.Report)
			return total{c.Verdict.Numbers, c.Verdict.Repeated, c.Tally.Kills}
		}}, nil
	case "clock":
		return source{name, func(ctx context.Context, kind, folder string) (report, error) {
			return clockchaos.Run(ctx, clockchaos.Config{
				Kind: kind, Seed: o.seed, Length: o.each(), IDs: ids(2_000_000),
				Goroutines: o.goroutines, Folder: folder, Log: log,
			})
		}, func(r report) total {
			c := r.(clockchaos.Report)
			return total{c.Verdict.IDs, c.Verdict.Repeated, c.Tally.Kills}
		}}, nil
	}
	return source{}, fmt.Errorf("no source %q, there are: counter, clock", name)
}
