package sequence_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
)

// The simulation runs schedules of several nodes, each with a clock and a
// registry of its own: the wall clock steps by up to an hour, jumps ten years
// ahead for a second, stands still; bursts run past overflow; sequences are
// dropped. No id may come twice, lie outside its layout, go back, be further
// ahead than MaxAhead or lag behind the clock.
//
// It can fail. Each of these changes turns it red, with the fault named:
//
//   - newSequence: don't begin at the lane's floor ("after", "twice")
//   - swap and Next: don't compare with the ceiling ("is not node")
//   - swap: don't compare with the limit ("beyond MaxAhead")
//   - open: true whenever the gate isn't shut ("behind the clock")
//   - swap: store the word instead of comparing and swapping it ("twice")
//   - pack: leave out &^s.mask ("is not node")
func TestSimulation(t *testing.T) {
	first := seed(t)
	for i := range schedules() {
		simulate(t, first, i, newManual)
	}
}

// The same on a system clock that goes by the processor's counter, with a
// counter that jumps too. Besides the above, it finds a gate that is read
// wrongly ("behind the clock").
func TestSimulationOnACounter(t *testing.T) {
	first := seed(t)
	for i := range schedules() {
		synctest.Test(t, func(t *testing.T) {
			simulate(t, first, i, newCounted)
		})
	}
}

func schedules() uint64 {
	switch {
	case testing.Short():
		return 1000
	case raceEnabled:
		return 3000
	}
	return 10_000
}

// simulate runs one schedule.
func simulate(t *testing.T, first, i uint64, newClock func(start time.Time) simClock) {
	t.Helper()
	sim := newSimulation(rand.New(rand.NewPCG(first, i)), newClock)
	sim.run()
	if sim.failed() {
		t.Fatalf("schedule %d: %s\n%s", i, sim, strings.Join(sim.faults, "\n"))
	}
}

// simulation is one schedule.
type simulation struct {
	random     *rand.Rand
	settings   sequence.Settings // but for the clock, which each node has its own
	goroutines int
	fenced     bool
	nodes      []*simNode

	mu     sync.Mutex
	faults []string
}

// simNode is one process.
type simNode struct {
	sim    *simulation
	number uint64
	clock  simClock
	reg    *sequence.Registry
	space  *sequence.Space
	fence  *fence.Fence  // nil without one
	window time.Duration // of the fence
}

func newSimulation(random *rand.Rand, newClock func(start time.Time) simClock) *simulation {
	sim := &simulation{random: random, goroutines: 1 + 3*random.IntN(2)}
	layout := bits.Layout{Time: 41, Node: 2, Sequence: 1 + random.IntN(5)}
	if random.IntN(4) == 0 { // its time ends within the schedule
		layout.Time = 8 + random.IntN(6)
	}
	layout.Partition = 63 - layout.Time - layout.Node - layout.Sequence
	sim.settings = sequence.Settings{
		Layout:      layout,
		Timescale:   bits.Timescale{Epoch: epoch, Unit: []time.Duration{time.Millisecond, 10 * time.Millisecond, 700 * time.Microsecond}[random.IntN(3)]},
		AheadPolicy: sequence.AheadPolicy(random.IntN(3)),
		MaxAhead:    time.Duration(random.IntN(30)) * time.Millisecond,
	}
	if layout.Sequence >= 3 && random.IntN(3) == 0 {
		sim.settings.Start = sequence.Spread
	}
	for number := range uint64(1 + random.IntN(3)) {
		start := epoch.Add(time.Duration(random.IntN(7_200_000)-60_000) * time.Millisecond)
		if layout.Time < 41 {
			start = epoch.Add(time.Duration(random.IntN(200)-100) * time.Millisecond)
		}
		n := &simNode{sim: sim, number: number + 1, clock: newClock(start), reg: sequence.NewRegistry()}
		settings := sim.settings
		settings.Clock = source(n.clock)
		var err error
		if n.space, err = n.reg.Space(settings); err != nil {
			sim.fault("%v", err)
		}
		sim.nodes = append(sim.nodes, n)
	}
	return sim
}

func (sim *simulation) String() string {
	return fmt.Sprintf("%d nodes, %d goroutines, %+v", len(sim.nodes), sim.goroutines, sim.settings)
}

func (sim *simulation) fault(format string, args ...any) {
	sim.mu.Lock()
	defer sim.mu.Unlock()
	if len(sim.faults) < 5 {
		sim.faults = append(sim.faults, fmt.Sprintf(format, args...))
	}
}

func (sim *simulation) failed() bool { return len(sim.faults) > 0 }

// run lets the nodes work one after the other, each with several goroutines,
// and compares what all of them made.
func (sim *simulation) run() {
	operations := 120
	if raceEnabled {
		operations = 40
	}
	ids := map[string][]int64{} // by sequence id, of all nodes and partitions
	for _, n := range sim.nodes {
		var wg sync.WaitGroup
		workers := make([]*simWorker, sim.goroutines)
		for i := range workers {
			workers[i] = newSimWorker(n, sim.random.Uint64())
			wg.Go(func() {
				for range operations / sim.goroutines {
					workers[i].operation()
				}
			})
		}
		wg.Wait()
		for _, w := range workers {
			for key, list := range w.made {
				ids[key.id] = append(ids[key.id], list...)
			}
		}
	}
	sim.compare(ids)
}

// compare looks for ids that were made twice.
func (sim *simulation) compare(ids map[string][]int64) {
	for id, list := range ids {
		slices.Sort(list)
		for i := 1; i < len(list); i++ {
			if list[i] == list[i-1] {
				sim.fault("%s: %d twice", id, list[i])
			}
		}
	}
}
