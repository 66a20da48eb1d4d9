package sequence_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/storetest"
)

// The simulation with a fence: each node is a row of processes on one record.
// They crash, are closed, or go on beside their successor; the clock stands
// elsewhere at each start, up to an hour back; the store fails in all its ways.
// No id may come twice.
//
// It can fail. Each of these changes turns it red:
//
//   - swap: don't begin at the lane's floor
//   - Holder.Take: a floor of 0
//   - Lane.Stop: don't read the words
//   - Holder.readBack: don't compare tokens
//   - guard.stored: allow a window more than is stored
//
// Without a fence it is red too: TestSimulationWithoutAFenceRepeatsIDs.
func TestSimulationWithAFence(t *testing.T) {
	schedules := uint64(400)
	if testing.Short() || raceEnabled {
		schedules = 50
	}
	first := seed(t)
	made := 0
	for i := range schedules {
		sim := newFencedSimulation(rand.New(rand.NewPCG(first, i)), true)
		made += sim.runLives()
		if sim.failed() {
			t.Fatalf("schedule %d: %s\n%s", i, sim, strings.Join(sim.faults, "\n"))
		}
	}
	require.Greater(t, made, int(schedules)*10, "most processes make ids")
}

func TestSimulationWithoutAFenceRepeatsIDs(t *testing.T) {
	first := seed(t)
	for i := range uint64(100) {
		sim := newFencedSimulation(rand.New(rand.NewPCG(first, i)), false)
		sim.runLives()
		if strings.Contains(strings.Join(sim.faults, "\n"), "twice") {
			return
		}
	}
	t.Fatal("no id came twice")
}

// lives is a node's processes.
type lives struct {
	sim     *simulation
	random  *rand.Rand
	records *storetest.FaultyRecords // nil: no fence
	window  time.Duration
	cap     time.Duration
	start   time.Time
}

func newFencedSimulation(random *rand.Rand, withFence bool) *simulation {
	sim := newSimulation(random, newManual)
	sim.fenced = withFence
	sim.settings.MaxAhead = min(sim.settings.MaxAhead, 100*time.Millisecond)
	return sim
}

// runLives lets each node live several lives, and tells how many ids they made.
func (sim *simulation) runLives() (made int) {
	ids := map[string][]int64{}
	for number := range uint64(1 + sim.random.IntN(2)) {
		l := &lives{
			sim: sim, random: sim.random, start: epoch.Add(2 * time.Hour),
			window: time.Duration(100+sim.random.IntN(2000)) * time.Millisecond,
		}
		l.cap = 3 * l.window
		if sim.random.IntN(2) == 0 {
			l.cap = 12 * time.Hour
		}
		if sim.settings.Layout.Time < 41 {
			l.start = epoch
		}
		if sim.fenced {
			fault := func(kind storetest.Kind, p float64) storetest.Chance {
				return storetest.Chance{Fault: storetest.Fault{Kind: kind, Delay: time.Millisecond}, P: p}
			}
			l.records = storetest.NewFaultyRecords(store.NewMemory(), storetest.Random(sim.random.Uint64(),
				fault(storetest.FailBefore, .05), fault(storetest.FailAfter, .05), fault(storetest.LoseRequest, .05),
				fault(storetest.LoseReply, .05), fault(storetest.Slow, .05)))
		}
		made += l.run(number, ids)
	}
	sim.compare(ids)
	return made
}

func (l *lives) run(number uint64, ids map[string][]int64) (made int) {
	var alive []*simNode
	var closers []func()
	for range 2 + l.random.IntN(4) {
		n, end := l.process(number)
		alive, closers = append(alive, n), append(closers, end)
		for _, n := range alive { // the older ones go on beside the new one
			made += l.work(n, ids)
		}
		switch l.random.IntN(3) {
		case 0: // a crash
			end()
			alive = nil
		case 1: // a clean stop of all
			for _, n := range alive {
				if n.fence != nil {
					_ = n.fence.Close(context.Background())
				}
			}
			alive = nil
		}
		if !l.sim.fenced { // a process that goes on would be another node's
			alive = nil
		}
	}
	for _, end := range closers {
		end()
	}
	return made
}

// process starts one, with its clock up to an hour off.
func (l *lives) process(number uint64) (n *simNode, end func()) {
	off := time.Duration(l.random.Int64N(int64(4 * time.Second)))
	if l.random.IntN(4) == 0 && l.sim.settings.Layout.Time == 41 {
		off = time.Duration(l.random.Int64N(int64(2*time.Hour))) - time.Hour
	}
	n = &simNode{sim: l.sim, number: number, clock: clock.NewManual(l.start.Add(off)), reg: sequence.NewRegistry()}
	settings := l.sim.settings
	settings.Clock = source(n.clock)
	end = func() {}
	if l.records != nil {
		f, err := fence.New(l.records, fence.Options{
			Space: "orders", Window: l.window, Cap: l.cap, Start: fence.Start(l.random.IntN(3)), CallTimeout: time.Second,
		})
		if err != nil {
			l.sim.fault("%v", err)
		}
		settings.Fence, n.fence, n.window = f, f, l.window
		end = func() { _ = f.Close(ended()) }
	}
	var err error
	if n.space, err = n.reg.Space(settings); err != nil {
		l.sim.fault("%v", err)
	}
	return n, end
}

// work lets several goroutines of a process make ids, and collects them.
func (l *lives) work(n *simNode, ids map[string][]int64) (made int) {
	n.settle()
	var wg sync.WaitGroup
	workers := make([]*simWorker, l.sim.goroutines)
	for i := range workers {
		workers[i] = newSimWorker(n, l.random.Uint64())
		wg.Go(func() {
			for range 40 / l.sim.goroutines {
				workers[i].operation()
				n.settle()
			}
		})
	}
	wg.Wait()
	for _, w := range workers {
		for key, list := range w.made {
			ids[key.id] = append(ids[key.id], list...)
			made += len(list)
		}
	}
	return made
}

// settle gives the fence the time to take or renew its record.
func (n *simNode) settle() {
	if n.fence == nil {
		return
	}
	for range 200 {
		h := n.space.Health(n.number, new(sequence.Caller))
		if !errors.Is(h.Err, fence.ErrUnavailable) {
			return
		}
		runtime.Gosched()
	}
}

// A burst drives time 30 s ahead, the process is killed, and the clock is an
// hour back when the next one starts.
func TestRestartAfterABurstWithTheClockSetBack(t *testing.T) {
	for name, row := range map[string]struct {
		fenced   bool
		cap      time.Duration
		repeated bool
	}{
		"with a fence":                   {true, 2 * time.Hour, false},
		"with a fence, beyond its cap":   {true, 2 * time.Minute, false},
		"without one, as a counter-test": {false, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			records := store.NewMemory()
			made := map[int64]bool{}
			repeated := false
			for life := range 2 {
				var f *fence.Fence
				fx := newFixture(t, layoutWith(4), func(s *sequence.Settings) {
					s.Clock = clock.NewManual(epoch.Add(time.Duration(24-life) * time.Hour))
					if !row.fenced {
						return
					}
					var err error
					f, err = fence.New(records, fence.Options{
						Space: "orders", Window: 30 * time.Second, Cap: row.cap, Start: fence.BeginAtBound,
					})
					require.NoError(t, err)
					s.Fence = f
				})
				s := fx.sequence("orders", 1, 0)
				if row.fenced {
					defer func() { _ = f.Close(ended()) }()
				}
				if life == 1 && row.cap == 2*time.Minute {
					_, err := s.Next(noContext, &fx.caller)
					require.ErrorIs(t, err, fence.ErrBehind)
					fx.space.Settings().Clock.(*clock.Manual).Advance(time.Hour + time.Second)
					require.Eventually(t, func() bool { return fx.space.Health(1, &fx.caller).Err == nil },
						10*time.Second, time.Millisecond, "the clock is near enough")
				}
				if life == 1 && !row.fenced { // the same burst, an hour later by the wall
					fx.space.Settings().Clock.(*clock.Manual).Advance(time.Hour)
				}
				ids := fx.appendN(s, 30_000*16) // 30 s of this layout
				for _, id := range ids {
					repeated = repeated || made[id]
					made[id] = true
				}
				require.Greater(t, fx.parts(ids[len(ids)-1]).Time-fx.parts(ids[0]).Time, uint64(29_998))
			}
			require.Equal(t, row.repeated, repeated)
		})
	}
}
