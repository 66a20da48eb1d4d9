package chaos

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/stampid/go-stamp/cmd/stampd/internal/relay"
	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
	"github.com/stampid/go-stamp/sequence/segment"
)

// Config says what a run does. It has no defaults but Workers and Goroutines.
type Config struct {
	Kind string // of store, see package servers
	Seed uint64
	// Length is how long a round of faults is. There are as many as it takes for
	// the workers to have Numbers together, at least one, each with faults of its
	// own; after three in a row that bring none, the run is given up.
	Length  time.Duration
	Numbers int64
	// Workers are processes, with so many goroutines each. 0: 4 and 2.
	Workers, Goroutines int
	// Folder is where all files are; it must exist and is the caller's to remove.
	Folder string
	// Log is told what happens, in lines. Nil: nobody.
	Log func(format string, args ...any)
}

// Run starts a store and workers, lets faults loose, and checks what came of it.
// The error is about the run itself; whether its result is good says the report.
func Run(ctx context.Context, c Config) (Report, error) {
	if c.Log == nil {
		c.Log = func(string, ...any) {}
	}
	if c.Workers == 0 {
		c.Workers, c.Goroutines = 4, 2
	}
	server, err := servers.Start(ctx, c.Kind, servers.Options{Folder: c.Folder})
	if err != nil {
		return Report{}, err
	}
	report, err := runOn(ctx, c, server)
	return report, errors.Join(err, server.Close())
}

func runOn(ctx context.Context, c Config, server *servers.Server) (Report, error) {
	v := &victims{server: server}
	url := server.URL()
	if server.HasServer() {
		var err error
		if v.relay, err = relay.New(server.Addr(), c.Seed); err != nil {
			return Report{}, err
		}
		defer func() { _ = v.relay.Close() }()
		url = server.URLAt(v.relay.Addr())
	}
	logs := filepath.Join(c.Folder, "logs")
	if err := os.MkdirAll(logs, 0o700); err != nil {
		return Report{}, err
	}
	tasks := c.tasks(url, logs)
	for i, t := range tasks {
		c.Log("%s: worker %d: %v, step %d, at most %d segments ahead, %d goroutines of %.0f numbers a second", c.Kind, i,
			t.Generator.Mode, t.Generator.Step, t.Generator.MaxPrefetchDistance, t.Goroutines, t.Rate)
	}
	v.fleet = NewFleet(tasks)
	begun := time.Now()
	if err := v.fleet.StartAll(); err != nil {
		v.fleet.KillAll()
		return Report{}, err
	}
	err := v.rounds(ctx, c)
	v.fleet.Stop()
	if err != nil {
		return Report{}, err
	}
	r := Report{Kind: c.Kind, Seed: c.Seed, Wanted: c.Numbers, Took: time.Since(begun), Faults: v.done, Tally: v.fleet.Tally()}
	if v.relay != nil {
		r.Connections = v.relay.Counts()
	}
	if r.Verdict, err = Check(logs); err != nil {
		return r, err
	}
	r.Counter, err = peek(ctx, server)
	return r, err
}

// rounds lets faults loose until there are enough numbers.
func (v *victims) rounds(ctx context.Context, c Config) error {
	v.done = map[Action]int{}
	const mostBarren = 3 // a server may need all of a short round to start
	barren := 0
	for round := uint64(0); ; round++ {
		before := v.fleet.Tally().Numbers
		end := time.Now().Add(c.Length)
		schedule := Schedule(c.Seed+round, c.Length, c.Workers, v.server.Kind)
		for _, e := range schedule {
			c.Log("%s, round %d: %v", c.Kind, round+1, e)
		}
		if err := v.inflict(ctx, schedule); err != nil {
			return err
		}
		pause(ctx, time.Until(end))
		n := v.fleet.Tally().Numbers
		if barren++; n > before {
			barren = 0
		}
		if n >= c.Numbers || barren == mostBarren || ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// peek reads the counter past all relays.
func peek(ctx context.Context, server *servers.Server) (int64, error) {
	opened, err := stores.Open(ctx, server.URL(), stores.Options{})
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	at, err := opened.Peek(ctx, counter)
	return at, errors.Join(err, opened.Close())
}

// tasks draws what the workers do. Their generators differ, since they need not
// be of one kind to share a counter.
func (c Config) tasks(url, logs string) []Task {
	random := randomOf(c.Seed, "workers of "+c.Kind)
	// Half as much again, to make up for faults.
	each := 1.5 * float64(c.Numbers) / c.Length.Seconds() / float64(c.Workers*c.Goroutines)
	tasks := make([]Task, c.Workers)
	for i := range tasks {
		// 10 to 100 segments a second.
		step := int64(each * float64(c.Goroutines) / float64(10+random.IntN(90)))
		tasks[i] = Task{
			Goroutines: c.Goroutines, Store: url, Folder: logs, Seed: random.Uint64(), Rate: each,
			Generator: Generator{
				Mode: segment.Mode(1 + i%3), Step: max(1, step), MaxPrefetchDistance: int64(2 + random.IntN(30)),
				FetchTimeout: time.Second, BackoffMin: 10 * time.Millisecond, Backoff: 500 * time.Millisecond,
			},
		}
	}
	return tasks
}
