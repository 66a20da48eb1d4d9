package lease_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/node/lease"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/storetest"
)

// The simulation lets processes with clocks of their own, up to an hour apart,
// compete for two numbers: they start under names and without, are killed, closed,
// and cut off from the store for longer than their leases last; their clocks
// step; the store fails in all its ways. No id may come twice, and the times of the
// holders of a number may not overlap.
//
// It can fail: without the fence it does (TestSimulationWithoutTheFence), and with
// each of these changes:
//
//   - Reserve: a Bound of 0 instead of the one that was found
//   - guard.take: don't begin at the floor
func TestSimulation(t *testing.T) {
	first := seed(t)
	made := 0
	for i := range uint64(100) {
		synctest.Test(t, func(t *testing.T) {
			s := newSimulation(t, rand.New(rand.NewPCG(first, i)), true)
			s.run()
			require.Empty(t, s.faults[:min(len(s.faults), 3)], "schedule %d", i)
			made += len(s.seen)
		})
	}
	require.Greater(t, made, 2000)
}

func TestSimulationWithoutTheFence(t *testing.T) {
	first := seed(t)
	for i := range uint64(100) {
		found := false
		synctest.Test(t, func(t *testing.T) {
			s := newSimulation(t, rand.New(rand.NewPCG(first, i)), false)
			s.run()
			found = len(s.faults) > 0
		})
		if found {
			return
		}
	}
	t.Error("no schedule repeats an id")
}

func seed(t *testing.T) uint64 {
	t.Helper()
	n := rand.Uint64()
	if text := os.Getenv("STAMP_TEST_SEED"); text != "" {
		n = must(strconv.ParseUint(text, 10, 64))
	}
	t.Logf("to repeat: STAMP_TEST_SEED=%d", n)
	return n
}

type simulation struct {
	t      *testing.T
	random *rand.Rand
	fenced bool
	memory *store.Memory

	alive  []*process
	seen   map[stamp.ID]*process
	spans  map[uint64][]*process // by number
	faults []string
}

// process is one life of a program.
type process struct {
	lease       *lease.Lease
	config      *stamp.Config
	offset      *atomic.Int64 // of its clock
	away        *atomic.Bool  // its store
	first, last uint64        // times of its ids
}

func newSimulation(t *testing.T, random *rand.Rand, fenced bool) *simulation {
	return &simulation{
		t: t, random: random, fenced: fenced, memory: store.NewMemory(),
		seen: map[stamp.ID]*process{}, spans: map[uint64][]*process{},
	}
}

func (s *simulation) run() {
	for range 60 {
		switch s.random.IntN(8) {
		case 0, 1:
			s.start()
		case 2:
			s.end(s.random.IntN(2) == 0)
		case 3:
			if p := s.any(); p != nil {
				p.offset.Add(int64(time.Duration(s.random.Int64N(int64(2*time.Hour))) - time.Hour))
			}
		case 4:
			if p := s.any(); p != nil {
				p.away.Store(!p.away.Load())
			}
		case 5:
			time.Sleep(time.Duration(s.random.Int64N(int64(30 * time.Second))))
		}
		for _, p := range s.alive {
			s.make(p)
		}
		time.Sleep(time.Duration(s.random.Int64N(int64(2 * time.Second))))
	}
	for len(s.alive) > 0 {
		s.end(false)
	}
	s.compare()
}

func (s *simulation) any() *process {
	if len(s.alive) == 0 {
		return nil
	}
	return s.alive[s.random.IntN(len(s.alive))]
}

// start begins a life, if there is a number for it.
func (s *simulation) start() {
	p := &process{offset: new(atomic.Int64), away: new(atomic.Bool)}
	p.offset.Store(int64(time.Duration(s.random.Int64N(int64(2*time.Hour))) - time.Hour))
	bad, mode := s.random.IntN(3) == 0, s.random.Uint64()
	records := storetest.NewFaultyRecords(s.memory, func(c storetest.Call) storetest.Fault {
		faults := []storetest.Kind{storetest.FailBefore, storetest.FailAfter, storetest.LoseRequest, storetest.LoseReply, storetest.Hang, storetest.HangAfter}
		switch {
		case p.away.Load():
			return storetest.Fault{Kind: storetest.FailBefore}
		case bad && (uint64(c.Number)*mode)>>60 < 6:
			return storetest.Fault{Kind: faults[(uint64(c.Number)*mode)>>60]}
		}
		return storetest.Fault{}
	})
	name := []string{"", "", "orders-0", "orders-1"}[s.random.IntN(4)]
	ctx, cancel := context.WithTimeout(s.t.Context(), 12*time.Second)
	defer cancel()
	l, err := lease.Acquire(ctx, records, lease.Options{
		Space: "orders", Layout: simLayout, Epoch: epoch, Name: name, Last: 1,
		Fence: fence.Options{Start: fence.Start(s.random.IntN(3)), Cap: 4 * time.Hour},
	})
	if err != nil {
		return
	}
	o := stamp.Options{
		Node: l, Layout: simLayout, Epoch: epoch, Unit: time.Millisecond, Registry: sequence.NewRegistry(), Timeout: time.Second,
		Clock: clock.NewSystem(clock.Options{Wall: func() time.Time { return time.Now().Add(time.Duration(p.offset.Load())) }}),
	}
	if !s.fenced {
		o.Node = node.Static(l.Number())
	}
	p.lease, p.config = l, must(stamp.NewConfig(o))
	s.alive = append(s.alive, p)
	s.spans[l.Number()] = append(s.spans[l.Number()], p)
}

// simLayout has few enough numbers in a unit for bursts to drive time.
var simLayout = bits.Layout{Time: 41, Node: 12, Sequence: 10}

// end ends a life, in order or not.
func (s *simulation) end(inOrder bool) {
	p := s.any()
	if p == nil {
		return
	}
	for i, q := range s.alive {
		if q == p {
			s.alive = append(s.alive[:i:i], s.alive[i+1:]...)
		}
	}
	if !inOrder {
		die(p.lease)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = p.lease.Close(ctx)
	die(p.lease) // what is left of it
}

// make asks for ids, one by one or in a burst that drives time.
func (s *simulation) make(p *process) {
	ids, err := []stamp.ID(nil), error(nil)
	if s.random.IntN(3) == 0 {
		ctx, cancel := context.WithTimeout(s.t.Context(), time.Second)
		defer cancel()
		ids, err = must(stamp.NewGenerator("users", p.config)).Append(ctx, nil, 1+s.random.IntN(30_000))
		if len(ids) > 0 { // the ends of each run are enough
			ids = []stamp.ID{ids[0], ids[len(ids)-1]}
		}
	} else {
		for range 1 + s.random.IntN(5) {
			id, failed := stamp.Next([]string{"orders", "late"}[s.random.IntN(2)], p.config)
			if err = failed; err == nil {
				ids = append(ids, id)
			}
		}
	}
	if err != nil && !errors.Is(err, stamp.ErrAhead) && !errors.Is(err, fence.ErrUnavailable) && !errors.Is(err, fence.ErrBehind) &&
		!errors.Is(err, lease.ErrLost) && !errors.Is(err, fence.ErrHeld) && !errors.Is(err, stamp.ErrBatch) {
		s.fault("not to be expected: %v", err)
	}
	for _, id := range ids {
		parts := must(p.config.Unpack(id))
		if parts.Node != p.lease.Number() {
			s.fault("node %d, want %d", parts.Node, p.lease.Number())
		}
		if p.first == 0 || parts.Time < p.first {
			p.first = parts.Time
		}
		p.last = max(p.last, parts.Time)
		s.seen[id] = p
	}
}

// compare looks for two holders of a number whose times overlap, which all ids
// that come twice would be part of.
func (s *simulation) compare() {
	for number, lives := range s.spans {
		for i, p := range lives {
			for _, q := range lives[:i] {
				if p.first > 0 && q.first > 0 && p.first <= q.last && q.first <= p.last {
					s.fault("number %d: times %d to %d and %d to %d", number, p.first, p.last, q.first, q.last)
				}
			}
		}
	}
}

func (s *simulation) fault(format string, args ...any) {
	s.faults = append(s.faults, fmt.Sprintf(format, args...))
}
