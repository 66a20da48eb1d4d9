package faults

import (
	"cmp"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/stampid/go-stamp/cmd/stampd/internal/relay"
	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
)

// Plan says what there is to break.
type Plan struct {
	Workers int
	Kind    servers.Kind // of their store
	// Reach is how far each worker's clock is set at most, either way, so many as
	// there are workers. Nil: their clocks are left alone, and they aren't ended in
	// order.
	Reach []time.Duration
	// Fill and Lock tell that the store's disk can be filled and made read-only,
	// and Copy that its folder can be copied.
	Fill, Lock, Copy bool
}

// Schedule is a list of faults over a length of time, in order of their times:
// one line of them for the workers and one for the store, which don't wait for
// each other. All workers are killed at once at least one time, unless it is too
// short for anything. The same arguments give the same list.
func Schedule(seed uint64, length time.Duration, p Plan) []Event {
	random := Random(seed, "schedule of "+p.Kind.Name)
	events := line(random, length, 300*time.Millisecond, p.workerFault)
	killAllOnce(events)
	if faults := p.storeFaults(); len(faults) > 0 {
		events = append(events, line(random, length, time.Second, func(random *rand.Rand) Event {
			return faults[random.IntN(len(faults))](random)
		})...)
	}
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	return events
}

// Random is the randomness of a seed for one purpose.
func Random(seed uint64, purpose string) *rand.Rand {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(purpose)) // never fails
	return rand.New(rand.NewPCG(seed, hash.Sum64()))
}

// line is a list of faults that don't overlap, each but the first about so long
// after the end of the one before. One that would last too long is left out.
func line(random *rand.Rand, length, gap time.Duration, draw func(*rand.Rand) Event) (events []Event) {
	for at := between(random, 0, 2*gap); at < length; at += between(random, gap/10, 2*gap) {
		e := draw(random)
		if at+e.For >= length {
			continue
		}
		e.At = at
		events = append(events, e)
		at += e.For
	}
	return events
}

// between is random, and in whole milliseconds.
func between(random *rand.Rand, least, most time.Duration) time.Duration {
	return (least + time.Duration(random.Int64N(int64(most-least)))).Truncate(time.Millisecond)
}

func (p Plan) workerFault(random *rand.Rand) Event {
	e := Event{Worker: random.IntN(p.Workers)}
	kinds, longest := 20, 2*time.Second
	if p.Reach != nil {
		kinds, longest = 30, 4*time.Second // which a fence's record doesn't last
		if random.IntN(2) == 0 {
			e.By = step(random, p.Reach[e.Worker])
		}
	}
	switch n := random.IntN(kinds); {
	case n == 0:
		return Event{Action: KillWorkers}
	case n <= 4:
		e.Action, e.For = FreezeWorker, between(random, 10*time.Millisecond, longest)
	case n < 20:
		e.Action, e.For = KillWorker, between(random, 0, 500*time.Millisecond)
	case n < 22:
		e.Action, e.For = EndWorker, between(random, 0, 500*time.Millisecond)
	case n == 22:
		e.Action, e.For, e.By = FreezeClock, between(random, 10*time.Millisecond, 2*time.Second), 0
	default:
		e.Action, e.By = SetClock, step(random, p.Reach[e.Worker])
	}
	return e
}

// step is between a ten-thousandth of reach and reach, of all sizes alike, either
// way.
func step(random *rand.Rand, reach time.Duration) time.Duration {
	by := time.Duration(float64(reach) * math.Pow(10, -4*random.Float64())).Truncate(time.Millisecond)
	if random.IntN(2) == 0 {
		return -by
	}
	return by
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
func (p Plan) storeFaults() (faults []func(*rand.Rand) Event) {
	lasting := func(action Action, least, most time.Duration) {
		faults = append(faults, func(random *rand.Rand) Event {
			return Event{Action: action, For: between(random, least, most)}
		})
	}
	if p.Kind.CanHold() {
		lasting(Hold, 10*time.Millisecond, 2*time.Second)
	}
	if p.Fill {
		lasting(FillDisk, 10*time.Millisecond, 2*time.Second)
	}
	if p.Lock {
		lasting(LockDisk, 10*time.Millisecond, 2*time.Second)
	}
	if p.Copy {
		lasting(UseCopy, 0, 1)
	}
	if !p.Kind.HasServer() {
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
