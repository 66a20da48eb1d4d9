package chaos

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/stampid/go-stamp/cmd/stampd/internal/faults"
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
	v := &faults.Victims{Server: server}
	url := server.URL()
	if server.HasServer() {
		var err error
		if v.Relay, err = relay.New(server.Addr(), c.Seed); err != nil {
			return Report{}, err
		}
		defer func() { _ = v.Relay.Close() }()
		url = server.URLAt(v.Relay.Addr())
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
	workers := newFleet(tasks)
	v.Workers = workers
	begun := time.Now()
	if err := workers.StartAll(); err != nil {
		workers.KillAll()
		return Report{}, err
	}
	err := v.Rounds(ctx, faults.Rounds{
		Seed: c.Seed, Length: c.Length, Plan: faults.Plan{Workers: c.Workers, Kind: server.Kind}, Wanted: c.Numbers, Log: c.Log,
		Made: func() int64 { return workers.Tally().Progress.Numbers },
	})
	workers.EndAll()
	if err != nil {
		return Report{}, err
	}
	r := Report{Kind: c.Kind, Seed: c.Seed, Wanted: c.Numbers, Took: time.Since(begun), Faults: v.Done(), Tally: workers.Tally()}
	if v.Relay != nil {
		r.Connections = v.Relay.Counts()
	}
	if r.Verdict, err = Check(logs); err != nil {
		return r, err
	}
	r.Counter, err = peek(ctx, server)
	return r, err
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
	random := faults.Random(c.Seed, "workers of "+c.Kind)
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
