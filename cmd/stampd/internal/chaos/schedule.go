package chaos

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/stampid/go-stamp/cmd/stampd/internal/relay"
	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
)

// Action is what an [Event] does.
type Action int

// What is done to workers.
const (
	KillWorker    Action = iota + 1 // and start it again after For
	KillWorkers                     // all at once, and start them again at once
	FreezeWorker                    // for For
	KillServer                      // and start it again after For
	FreezeServer                    // for For
	Hold                            // the store's lock, for For
	Cut                             // all connections
	BreakRequests                   // by a fault of the relay, for For
)

func (a Action) String() string {
	return [...]string{
		"none", "kill worker", "kill all workers", "freeze worker",
		"kill server", "freeze server", "hold the lock", "cut connections", "requests:",
	}[a]
}

// onWorkers tells whether it is done to workers, and not to their store.
func (a Action) onWorkers() bool { return a <= FreezeWorker }

// Event is a fault at a time.
type Event struct {
	At     time.Duration // from the beginning
	Action Action
	Worker int
	For    time.Duration
	Fault  relay.Fault
}

func (e Event) String() string {
	text := fmt.Sprintf("%8.3fs %v", e.At.Seconds(), e.Action)
	switch e.Action {
	case KillWorker, FreezeWorker:
		text += fmt.Sprintf(" %d", e.Worker)
	case BreakRequests:
		text += " " + e.Fault.String()
	}
	if e.For > 0 {
		text += fmt.Sprintf(" for %v", e.For)
	}
	return text
}

// Schedule is a list of faults over a length of time, in order of their times:
// one line of them for the workers and one for the store of a kind, which don't
// wait for each other. All workers are killed at once at least one time, unless
// it is too short for anything. The same arguments give the same list.
func Schedule(seed uint64, length time.Duration, workers int, kind servers.Kind) []Event {
	random := randomOf(seed, "schedule of "+kind.Name)
	events := line(random, length, 300*time.Millisecond, workerFault(workers))
	killAllOnce(events)
	if faults := storeFaults(kind); len(faults) > 0 {
		events = append(events, line(random, length, time.Second, func(random *rand.Rand) Event {
			return faults[random.IntN(len(faults))](random)
		})...)
	}
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	return events
}

// randomOf is the randomness of a seed for one purpose.
func randomOf(seed uint64, purpose string) *rand.Rand {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(purpose)) // never fails
	return rand.New(rand.NewPCG(seed, hash.Sum64()))
}

// line is a list of faults that don't overlap, each but the first about so long
// after the end of the one before.
func line(random *rand.Rand, length, gap time.Duration, draw func(*rand.Rand) Event) (events []Event) {
	for at := between(random, 0, 2*gap); ; at += between(random, gap/10, 2*gap) {
		e := draw(random)
		if at+e.For >= length {
			return events
		}
		e.At = at
		events = append(events, e)
		at += e.For
	}
}

// between is random, and in whole milliseconds.
func between(random *rand.Rand, least, most time.Duration) time.Duration {
	return (least + time.Duration(random.Int64N(int64(most-least)))).Truncate(time.Millisecond)
}

func workerFault(workers int) func(*rand.Rand) Event {
	return func(random *rand.Rand) Event {
		e := Event{Worker: random.IntN(workers)}
		switch n := random.IntN(20); {
		case n == 0:
			e.Action, e.Worker = KillWorkers, 0
		case n <= 4:
			e.Action, e.For = FreezeWorker, between(random, 10*time.Millisecond, 2*time.Second)
		default:
			e.Action, e.For = KillWorker, between(random, 0, 500*time.Millisecond)
		}
		return e
	}
}

// killAllOnce makes the event in the middle one that hits all workers, if there is
// none.
func killAllOnce(events []Event) {
	hitsAll := func(e Event) bool { return e.Action == KillWorkers }
	if len(events) > 0 && !slices.ContainsFunc(events, hitsAll) {
		middle := &events[len(events)/2]
		*middle = Event{At: middle.At, Action: KillWorkers}
	}
}

// storeFaults are those that can be had with a kind of store.
func storeFaults(kind servers.Kind) (faults []func(*rand.Rand) Event) {
	lasting := func(action Action, least, most time.Duration) {
		faults = append(faults, func(random *rand.Rand) Event {
			return Event{Action: action, For: between(random, least, most)}
		})
	}
	if kind.CanHold() {
		lasting(Hold, 10*time.Millisecond, 2*time.Second)
	}
	if !kind.HasServer() {
		return faults
	}
	lasting(KillServer, 0, time.Second)
	lasting(FreezeServer, 10*time.Millisecond, 2*time.Second)
	lasting(Cut, 0, 1)
	broken := func(random *rand.Rand) Event {
		kinds := relay.Kinds()
		f := relay.Fault{Kind: kinds[random.IntN(len(kinds))]}
		switch f.Kind {
		case relay.Refuse:
		case relay.Delay:
			f.Percent, f.Time = 50, 300*time.Millisecond
		default:
			f.Percent = 5 + random.IntN(45)
		}
		return Event{Action: BreakRequests, Fault: f, For: between(random, 100*time.Millisecond, 2*time.Second)}
	}
	return append(faults, broken, broken, broken)
}
