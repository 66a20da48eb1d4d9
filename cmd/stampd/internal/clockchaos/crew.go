package clockchaos

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/stampid/go-stamp/cmd/stampd/internal/faults"
	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/stamp"
)

// How far clocks are set, and how far ahead of them a fence may be: hours, so that
// it begins ahead of a clock that was set back; less than a minute, where it waits
// beyond one; and little.
const (
	far, farCap   = 3 * time.Hour, 12 * time.Hour
	near, nearCap = 45 * time.Second, time.Minute
	little        = 3 * time.Second
)

// post is what one process of a run is set to do.
type post struct {
	node   uint64 // 0: a lease of one of leased
	name   string // of a lease
	start  fence.Start
	beyond fence.BeyondCap
	policy stamp.AheadPolicy
	reach  time.Duration // of its clock
	cap    time.Duration
	bursts float64
}

// leased are the nodes that some processes lease: one less than there are of them.
const firstLeased, lastLeased = 10, 12

// seldom and often are shares of calls that make a burst.
const seldom, often = 0.0002, 0.003

// posts are those of a run: processes that have a node alone, and some that fight
// for one. Those that begin at the bound take it from each other at once, and make
// many bursts: who has lost a node notices when its bound is used up. Those of the
// default are refused while the other lives, unless the clocks are apart. The others
// lease nodes, two of them by names, where the store's records can run out.
func posts(kind string) []post {
	all := []post{
		{node: 1, reach: far, cap: farCap, bursts: seldom},
		{node: 2, start: fence.BeginAtBound, beyond: fence.WaitBeyondCap, policy: stamp.Wait, reach: near, cap: nearCap, bursts: seldom},
		{node: 3, start: fence.BeginAtBound, reach: little, cap: farCap, bursts: often},
		{node: 3, start: fence.BeginAtBound, policy: stamp.Wait, reach: little, cap: farCap, bursts: often},
		{node: 4, reach: far, cap: farCap, bursts: seldom},
		{node: 4, policy: stamp.Fail, reach: far, cap: farCap, bursts: seldom},
		{name: "first", reach: far, cap: farCap, bursts: seldom},
		{name: "second", start: fence.BeginAtBound, policy: stamp.Wait, reach: little, cap: farCap, bursts: often},
		{start: fence.BeginAtBound, reach: far, cap: farCap, bursts: often},
		{start: fence.BeginAtBound, policy: stamp.Fail, reach: little, cap: farCap, bursts: often},
	}
	if canLease(kind) {
		return all
	}
	return slices.DeleteFunc(all, func(p post) bool { return p.node == 0 })
}

func canLease(kind string) bool {
	k, err := servers.Find(kind)
	return err == nil && k.Expires()
}

// tasks draws what the workers of a run do.
func (c Config) tasks(url, logs string) []Task {
	random := faults.Random(c.Seed, "fences of "+c.Kind)
	all := posts(c.Kind)
	// Twice as much, to make up for faults, and for those that have no node.
	each := 2 * float64(c.IDs) / c.Length.Seconds() / float64(len(all)*c.Goroutines)
	tasks := make([]Task, len(all))
	for i, p := range all {
		tasks[i] = Task{
			Goroutines: c.Goroutines, Node: p.node, Store: url, Policy: p.policy,
			Fence: Fence{
				Window: time.Duration(400+random.IntN(1600)) * time.Millisecond, Cap: p.cap,
				CallTimeout: time.Second, Start: p.start, BeyondCap: p.beyond,
			},
			Clock: filepath.Join(c.Folder, fmt.Sprintf("clock-%d", i)), Folder: logs, Seed: random.Uint64(), Rate: each,
			Counter: random.IntN(2) == 0, Bursts: p.bursts, Early: sequences / 2, Late: time.Duration(random.IntN(2000)) * time.Millisecond,
		}
		if p.node == 0 {
			// Two windows are the shortest time that a lease can last.
			tasks[i].Fence.Window = time.Duration(200+random.IntN(600)) * time.Millisecond
			tasks[i].Lease = &Lease{Name: p.name, First: firstLeased, Last: lastLeased, TTL: 2 * tasks[i].Fence.Window}
		}
		if p.policy != stamp.Advance {
			tasks[i].MaxAhead = 500 * time.Millisecond
		}
	}
	return tasks
}

// nodes are those that workers can have.
func nodes(kind string) []uint64 {
	var all []uint64
	for _, p := range posts(kind) {
		if p.node != 0 && !slices.Contains(all, p.node) {
			all = append(all, p.node)
		}
	}
	for node := uint64(firstLeased); canLease(kind) && node <= lastLeased; node++ {
		all = append(all, node)
	}
	return all
}

// reaches are those of the workers' clocks.
func reaches(kind string) []time.Duration {
	var all []time.Duration
	for _, p := range posts(kind) {
		all = append(all, p.reach)
	}
	return all
}
