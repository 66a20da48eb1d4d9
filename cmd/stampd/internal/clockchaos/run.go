package clockchaos

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/cmd/stampd/internal/faults"
	"github.com/stampid/go-stamp/cmd/stampd/internal/relay"
	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
	"github.com/stampid/go-stamp/sequence/fence"
)

// Config says what a run does. It has no defaults but Goroutines.
type Config struct {
	Kind string // of the store of the fence's records, see package servers
	Seed uint64
	// Length is how long a round of faults is. There are as many as it takes for
	// the workers to have IDs together; see faults.Rounds.
	Length time.Duration
	IDs    int64
	// Goroutines that make ids in each process. 0: 2.
	Goroutines int
	// Folder is where all files are; it must exist and is the caller's to remove.
	Folder string
	// Log is told what happens, in lines. Nil: nobody.
	Log func(format string, args ...any)
}

// Run starts a store and workers, lets faults loose, and checks what came of it.
// The error is about the run itself; whether its result is good says the report.
func Run(ctx context.Context, c Config) (report Report, err error) {
	if c.Log == nil {
		c.Log = func(string, ...any) {}
	}
	if c.Goroutines == 0 {
		c.Goroutines = 2
	}
	kind, err := servers.Find(c.Kind)
	if err != nil {
		return Report{}, err
	}
	plan := faults.Plan{Workers: len(posts(c.Kind)), Kind: kind, Reach: reaches(c.Kind)}
	v := new(faults.Victims)
	folder := filepath.Join(c.Folder, "store")
	if err := os.Mkdir(folder, 0o755); err != nil { //nolint:gosec // a server may run as another user
		return Report{}, err
	}
	if !kind.HasServer() {
		d, err := mountDisk(folder)
		if err == nil {
			defer func() { err = errors.Join(err, d.unmount()) }()
			v.Disk = d
			// SQLite has its file open all the time, which keeps the disk writable.
			plan.Fill, plan.Lock = true, kind.Name == "file"
		} else {
			c.Log("%s: skipped: a disk that is full or read-only: %v", c.Kind, err)
		}
	}
	if v.Server, err = servers.Start(ctx, c.Kind, servers.Options{Folder: folder}); err != nil {
		return Report{}, err
	}
	report, err = c.runOn(ctx, plan, v)
	return report, errors.Join(err, v.Server.Close())
}

func (c Config) runOn(ctx context.Context, plan faults.Plan, v *faults.Victims) (Report, error) {
	url := v.Server.URL()
	if v.Server.HasServer() {
		var err error
		if v.Relay, err = relay.New(v.Server.Addr(), c.Seed); err != nil {
			return Report{}, err
		}
		defer func() { _ = v.Relay.Close() }()
		url = v.Server.URLAt(v.Relay.Addr())
	}
	if folder, ok := strings.CutPrefix(url, "file://"); ok {
		plan.Copy = true
		v.UseCopy = func(ctx context.Context) error { return useCopy(ctx, folder, c.Folder) }
	}
	logs := filepath.Join(c.Folder, "logs")
	if err := os.MkdirAll(logs, 0o700); err != nil {
		return Report{}, err
	}
	tasks := c.tasks(url, logs)
	for i, t := range tasks {
		wall, err := NewWall(t.Clock)
		if err != nil {
			return Report{}, err
		}
		v.Clocks = append(v.Clocks, wall)
		strategy := clock.Portable
		if t.Counter {
			strategy = clock.Counter
		}
		node := fmt.Sprintf("node %d", t.Node)
		if l := t.Lease; l != nil {
			node = fmt.Sprintf("leases a node of %d to %d by name %q for %v", l.First, l.Last, l.Name, l.TTL)
		}
		c.Log("%s: worker %d: %s, window %v, cap %v, %v, %v, clock %v, %d goroutines of %.0f ids a second", c.Kind, i,
			node, t.Fence.Window, t.Fence.Cap, t.Fence.Start, t.Policy, strategy, t.Goroutines, t.Rate)
	}
	workers := newFleet(tasks, nil)
	v.Workers = workers
	begun := time.Now()
	if err := workers.StartAll(); err != nil {
		workers.KillAll()
		return Report{}, err
	}
	err := v.Rounds(ctx, faults.Rounds{
		Seed: c.Seed, Length: c.Length, Plan: plan, Wanted: c.IDs, Log: c.Log,
		Made: func() int64 { return workers.Tally().Progress.IDs },
	})
	workers.EndAll()
	if err != nil {
		return Report{}, err
	}
	r := Report{Kind: c.Kind, Seed: c.Seed, Wanted: c.IDs, Took: time.Since(begun), Faults: v.Done(), Tally: workers.Tally()}
	if v.Relay != nil {
		r.Connections = v.Relay.Counts()
	}
	if r.Verdict, err = Check(logs); err != nil {
		return r, err
	}
	r.Bounds, err = bounds(ctx, v.Server)
	return r, err
}

// bounds reads the records of all nodes, past all relays.
func bounds(ctx context.Context, server *servers.Server) (map[uint64]uint64, error) {
	opened, err := stores.Open(ctx, server.URL(), stores.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { _ = opened.Close() }()
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	all := map[uint64]uint64{}
	for _, node := range nodes(server.Name) {
		text, err := opened.Records.Get(ctx, fence.Key(space, fence.Format(layout(), timescale()), node))
		if err != nil {
			return nil, err
		}
		if text == nil {
			continue
		}
		record, err := fence.Decode(text)
		if err != nil {
			return nil, err
		}
		all[node] = record.Bound
	}
	return all, nil
}
