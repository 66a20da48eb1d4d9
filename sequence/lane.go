package sequence

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/clock"
)

// Lane is what all sequences of one format of ids, node and [Fence] share,
// whatever their ids, partitions and limits. Fences move it; nobody else has
// to know it. It is safe for concurrent use.
type Lane struct {
	// ceiling is the first word that may not be given out. It is read after
	// each claim, so lowering it stops all sequences of the lane at once.
	ceiling atomic.Uint64
	// floor is the first word that may be given out. It is stored before the
	// ceiling is raised for the first time, and read after the ceiling.
	floor atomic.Uint64
	// low is the first word at which the fence is asked for more.
	low atomic.Uint64
	// warned is set once the coming end of the layout's time was reported.
	warned atomic.Bool

	guard    Guard // nil without a fence
	fence    Fence
	registry *Registry
	key      laneKey
	clock    clock.Clock // of the fence's users
	mu       sync.Mutex  // held to move the ceiling of a fenced lane
	stopped  bool

	// dropped is where the highest dropped sequence of the lane stood, and
	// shared that of all lanes of the same format and node: a sequence id may
	// come back with another fence, or none.
	dropped atomic.Uint64
	shared  *atomic.Uint64

	_ [64]byte // what calls write is on a cache line of its own
	// peak is the highest unit that a word has entered.
	peak atomic.Uint64
}

type laneKey struct {
	laneFormat
	fence Fence
}

// laneFormat is a format of ids with a node.
type laneFormat struct {
	layout    bits.Layout
	timescale bits.Timescale
	node      uint64
}

// fenceKey is what a fence keeps one record for.
type fenceKey struct {
	laneFormat
	space string
}

// lane finds or makes a lane. The registry is locked.
func (r *Registry) lane(s *Settings, node uint64) (*Lane, error) {
	key := laneKey{laneFormat{s.Layout, s.Timescale, node}, s.Fence}
	l := r.lanes[key]
	if l == nil {
		l = &Lane{registry: r, key: key, fence: s.Fence, clock: s.Clock, shared: r.shared(key.laneFormat)}
		if err := r.attach(l); err != nil {
			return nil, err
		}
		r.lanes[key] = l
	}
	if l.fence != nil && l.clock != s.Clock {
		return nil, l.conflict(fmt.Sprintf("it is used with clock %s and %s", name(l.clock), name(s.Clock)))
	}
	return l, nil
}

// attach puts a new lane behind its fence, or lets it run to the layout's end.
func (r *Registry) attach(l *Lane) error {
	if l.fence == nil {
		l.ceiling.Store(l.end())
		return nil
	}
	key := fenceKey{l.key.laneFormat, l.fence.Space()}
	if other := r.fenced[key]; other != nil {
		if !other.isStopped() {
			return l.conflict("another fence of that name is in use in this registry; share it, or close it first")
		}
		delete(r.lanes, other.key)
	}
	guard, err := l.fence.Attach(l)
	if err != nil {
		return err
	}
	l.guard = guard
	r.fenced[key] = l
	return nil
}

func (r *Registry) shared(key laneFormat) *atomic.Uint64 {
	cell := r.dropped[key]
	if cell == nil {
		cell = new(atomic.Uint64)
		r.dropped[key] = cell
	}
	return cell
}

func (l *Lane) conflict(reason string) error {
	return &FenceConflictError{Space: l.fence.Space(), Node: l.key.node, Reason: reason}
}

// end is the first word that the layout can't express.
func (l *Lane) end() uint64 { return (l.key.layout.MaxTime() + 1) << l.key.layout.Sequence }

// Layout returns the layout of the lane's ids.
func (l *Lane) Layout() bits.Layout { return l.key.layout }

// Timescale returns epoch and unit.
func (l *Lane) Timescale() bits.Timescale { return l.key.timescale }

// Node returns the node number.
func (l *Lane) Node() uint64 { return l.key.node }

// Clock returns the clock that the lane's sequences go by.
func (l *Lane) Clock() clock.Clock { return l.clock }

// Peak returns the highest unit of time that a sequence has reached. Calls that
// are under way may have claimed later ones.
func (l *Lane) Peak() uint64 { return l.peak.Load() }

// Begin makes unit the first that ids may have. It comes before the first
// [Lane.Allow]: sequences that were made already begin there too.
func (l *Lane) Begin(unit uint64) {
	l.floor.Store(l.word(unit))
}

// Allow lets ids be given out with times below bound, which must be durable,
// and has the guard asked for more from the unit low on. After [Lane.Stop] it
// does nothing.
func (l *Lane) Allow(bound, low uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped {
		return
	}
	l.low.Store(l.word(low))
	l.ceiling.Store(l.word(bound))
}

// Stop ends the lane: no id is given out any more. It returns a unit that all
// ids lie below, as near above the last one as can be, and 0 if there can't be
// any. It may be called again.
//
// The order is what matters. Calls read the ceiling after they claimed, so an
// id that is given out was claimed before the ceiling fell, and the words are
// read after that.
func (l *Lane) Stop() (next uint64) {
	l.mu.Lock()
	l.stopped = true
	l.ceiling.Store(0)
	l.mu.Unlock()

	r := l.registry
	r.mu.Lock()
	defer r.mu.Unlock()
	highest := l.dropped.Load()
	read := func(s *Sequence) {
		if s.lane == l {
			highest = max(highest, s.word.Load())
		}
	}
	r.entries.each(func(e *entry) {
		read(e.first)
		e.more.each(read)
	})
	if highest == 0 {
		return 0
	}
	return highest>>l.key.layout.Sequence + 1
}

func (l *Lane) isStopped() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stopped
}

// word is the first of a unit, and the layout's end for those beyond it.
func (l *Lane) word(unit uint64) uint64 {
	return min(unit, l.key.layout.MaxTime()+1) << l.key.layout.Sequence
}

// fold notes where a dropped sequence stood, in units that later ones begin at.
func (l *Lane) fold(word uint64) {
	raise(&l.dropped, word)
	raise(l.shared, word)
}
