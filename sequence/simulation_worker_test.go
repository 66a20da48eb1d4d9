package sequence_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
)

// simWorker is one goroutine of a node.
type simWorker struct {
	*simNode
	random *rand.Rand
	made   map[simKey][]int64
	ctx    context.Context // has ended: the clock can't move while a call waits
	caller sequence.Caller
}

// simKey is a sequence of a node.
type simKey struct {
	id        string
	partition uint64
}

func newSimWorker(n *simNode, seed uint64) *simWorker {
	return &simWorker{simNode: n, random: rand.New(rand.NewPCG(seed, n.number)), made: map[simKey][]int64{}, ctx: ended()}
}

// operation does one thing at random: to the clock, or with a sequence.
func (w *simWorker) operation() {
	const tenYears = 10 * 365 * 24 * time.Hour
	key := simKey{id: []string{"orders", "users"}[w.random.IntN(2)], partition: w.random.Uint64N(2)}
	if w.random.IntN(4) == 0 {
		key.partition = w.sim.settings.Layout.MaxPartition()
	}
	switch w.random.IntN(16) {
	case 0, 1, 2:
		w.clock.Advance(time.Duration(w.random.IntN(3000)) * time.Microsecond)
	case 3:
		w.clock.Advance(time.Duration(w.random.IntN(3000)) * time.Millisecond)
	case 4:
		w.step(time.Duration(w.random.Int64N(int64(2*time.Hour))) - time.Hour)
	case 5:
		w.step(tenYears)
		w.next(key)
		w.clock.Advance(time.Second)
		w.next(key)
		w.step(-tenYears)
	case 6:
		w.reg.Drop(key.id)
	case 7, 8:
		w.batch(key, 1+w.random.IntN(1<<(1+w.random.IntN(8))))
	case 9, 10:
		w.nextAt(key, time.Duration(w.random.Int64N(int64(100*time.Millisecond)))-50*time.Millisecond)
	case 11:
		w.nextAt(key, time.Duration(w.random.Int64N(int64(4*time.Hour)))-2*time.Hour)
	default:
		for range 1 + w.random.IntN(20) {
			w.next(key)
		}
	}
}

func (w *simWorker) step(d time.Duration) {
	w.clock.Step(d)
	w.clock.Advance(trust)
}

func (w *simWorker) next(key simKey) {
	w.call(key, func(s *sequence.Sequence) (ids []int64, err error) {
		id, err := s.Next(w.ctx, &w.caller)
		return one(id, err)
	}, true)
}

func (w *simWorker) batch(key simKey, n int) {
	w.call(key, func(s *sequence.Sequence) ([]int64, error) {
		return sequence.Append[int64](w.ctx, s, nil, n, &w.caller)
	}, true)
}

func (w *simWorker) nextAt(key simKey, d time.Duration) {
	at := w.clock.Read().Wall.Add(d)
	w.call(key, func(s *sequence.Sequence) ([]int64, error) {
		id, err := s.NextAt(at, &w.caller)
		return one(id, err)
	}, false)
}

func one(id int64, err error) ([]int64, error) {
	if err != nil {
		return nil, err
	}
	return []int64{id}, nil
}

// call makes ids, and checks each of them and the error. It goes on with a new
// sequence when the one it found is dropped.
func (w *simWorker) call(key simKey, do func(*sequence.Sequence) ([]int64, error), byClock bool) {
	before := w.clock.Read()
	for {
		s, err := w.space.Sequence(key.id, w.number, key.partition)
		if err != nil {
			w.sim.fault("%v", err)
			return
		}
		ids, err := do(s)
		after := w.clock.Read()
		for _, id := range ids {
			w.check(key, id, before, after, byClock)
		}
		if !errors.Is(err, sequence.ErrDropped) {
			w.checkError(err, byClock)
			return
		}
		if w.sim.goroutines == 1 {
			w.sim.fault("a sequence that nobody drops was dropped")
			return
		}
	}
}

func (w *simWorker) check(key simKey, id int64, before, after clock.Reading, byClock bool) {
	settings := &w.sim.settings
	parts, err := settings.Layout.Unpack(id)
	if err != nil || parts.Node != w.number || parts.Partition != key.partition {
		w.sim.fault("%+v: %d is not node %d, partition %d, but %+v (%v)", key, id, w.number, key.partition, parts, err)
		return
	}
	list := w.made[key]
	if n := len(list); n > 0 && id <= list[n-1] {
		w.sim.fault("%+v: %d after %d", key, id, list[n-1])
	}
	w.made[key] = append(list, id)

	reference := max(settings.Timescale.Units(after.Reference), 0)
	if w.fence != nil {
		w.checkWindow(key, parts.Time, after)
	}
	if most := uint64(reference) + uint64(settings.MaxAhead/settings.Timescale.Unit); settings.AheadPolicy != sequence.Advance && parts.Time > most {
		w.sim.fault("%+v: %d has time %d, beyond MaxAhead at %d", key, id, parts.Time, most)
	}
	// With several goroutines, others may step the clock within the trust.
	if now := settings.Timescale.Units(before.Wall); byClock && w.sim.goroutines == 1 && int64(parts.Time) < now {
		w.sim.fault("%+v: %d has time %d, behind the clock at %d", key, id, parts.Time, now)
	}
}

// checkWindow checks a fence's bound on being ahead.
func (w *simWorker) checkWindow(key simKey, unit uint64, after clock.Reading) {
	settings := &w.sim.settings
	h := w.space.Health(w.number, &w.caller)
	most := after.Reference
	if h.Fence.Floor.After(most) && settings.AheadPolicy == sequence.Advance {
		most = h.Fence.Floor
	}
	if at := settings.Timescale.Time(unit); at.After(most.Add(max(w.window, settings.MaxAhead))) || at.Before(h.Fence.Floor) {
		w.sim.fault("%+v: time %d (%v) is outside the fence's, from %v to %v past %v", key, unit, at, h.Fence.Floor, w.window, most)
	}
}

// checkError knows which errors there may be.
func (w *simWorker) checkError(err error, byClock bool) {
	settings := &w.sim.settings
	isBounded := settings.AheadPolicy != sequence.Advance || w.fence != nil
	var before *sequence.BeforeEpochError
	switch {
	case err == nil:
	case errors.Is(err, sequence.ErrAhead) && (isBounded || !byClock):
		if byClock && (settings.AheadPolicy != sequence.Fail) != errors.Is(err, context.Canceled) {
			w.sim.fault("%v: %v", settings.AheadPolicy, err)
		}
	case errors.Is(err, sequence.ErrBatch) && isBounded:
	case errors.As(err, &before) && before.Time.Before(before.Epoch):
	case errors.Is(err, sequence.ErrTimeExhausted) && settings.Layout.Time < 41:
	case w.fence != nil && (errors.Is(err, fence.ErrUnavailable) || errors.Is(err, fence.ErrBehind) ||
		errors.Is(err, fence.ErrHeld) || errors.Is(err, fence.ErrLost) || errors.Is(err, fence.ErrStopped)):
	default:
		w.sim.fault("not to be expected: %v", err)
	}
}
