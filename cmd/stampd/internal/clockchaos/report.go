package clockchaos

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/stampid/go-stamp/cmd/stampd/internal/faults"
	"github.com/stampid/go-stamp/cmd/stampd/internal/fleet"
	"github.com/stampid/go-stamp/cmd/stampd/internal/relay"
)

// Report is the result of a run.
type Report struct {
	Kind    string
	Seed    uint64
	Wanted  int64 // ids
	Took    time.Duration
	Faults  map[faults.Action]int
	Tally   fleet.Tally[Progress]
	Verdict Verdict
	// Bounds are what is stored in the end, for each node that has a record.
	Bounds map[uint64]uint64
	// Connections that the workers made, and what they sent; nothing for stores
	// without a server.
	Connections relay.Counts
}

// Err lists all that must not be; nil if there is nothing.
func (r Report) Err() error {
	var errs []error
	wrong := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf(r.Kind+": "+format, args...))
	}
	v, p := r.Verdict, r.Tally.Progress
	for _, count := range []struct {
		n    int64
		what string
	}{
		{v.Repeated, "ids were made again"},
		{v.Falls, "times a goroutine got an id that isn't above its last of the sequence"},
		{v.Outside, "ids lie outside their layout, or are another node's or partition's"},
		{v.Overlaps, "holders of a node had id times of another one"},
		{int64(p.Errors[errCopied]), "calls said that the folder is a copy"},
	} {
		if count.n > 0 {
			wrong("%d %s", count.n, count.what)
		}
	}
	if examples := v.lines(); examples != "" {
		wrong("%s", examples)
	}
	for _, node := range slices.Sorted(maps.Keys(v.Nodes())) {
		last := v.Nodes()[node].Last
		switch bound, ok := r.Bounds[node]; {
		case !ok:
			wrong("node %d has made ids, and no record", node)
		case last >= bound:
			wrong("node %d has made an id of time %d, and the bound is %d", node, last, bound)
		}
	}
	if p.Unexpected != "" {
		wrong("an unexpected error: %s", p.Unexpected)
	}
	for _, err := range r.Tally.Crashed {
		wrong("a worker ended: %v", err)
	}
	if v.IDs < r.Wanted {
		wrong("%d ids in %v, want %d", v.IDs, r.Took.Round(time.Second), r.Wanted)
	}
	return errors.Join(errs...)
}

func (r Report) String() string {
	var b strings.Builder
	v, t := r.Verdict, r.Tally
	fmt.Fprintf(&b, "%s, seed %d: %d ids in %.1f s, %d duplicates, %d out of order, %d astray, %d holders of one node met\n",
		r.Kind, r.Seed, v.IDs, r.Took.Seconds(), v.Repeated, v.Falls, v.Outside, v.Overlaps)
	fmt.Fprintf(&b, "    %d processes started, %d killed;%s", t.Starts, t.Kills, faults.Counts(r.Faults))
	nodes := v.Nodes()
	for _, node := range slices.Sorted(maps.Keys(nodes)) {
		n := nodes[node]
		fmt.Fprintf(&b, "\n    node %d: %d ids of %d holders, %d of which had it from a living one; last time %d below the bound",
			node, n.IDs, n.Holders, n.FromLiving, int64(r.Bounds[node])-int64(n.Last))
	}
	b.WriteString("\n    calls without an id:")
	for _, kind := range slices.Sorted(maps.Keys(t.Progress.Errors)) {
		fmt.Fprintf(&b, " %s %d;", kind, t.Progress.Errors[kind])
	}
	if c := r.Connections; c.Connections > 0 {
		fmt.Fprintf(&b, "\n    %d connections, %d requests, %d of them broken", c.Connections, c.Requests, c.Hit)
	}
	return b.String()
}
