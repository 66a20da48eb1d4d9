package sequence

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/telemetry"
)

const (
	// unlimited as a sequence's limit leaves the lane's ceiling as the only
	// bound.
	unlimited = 1 << 63
	// closed is the word of a dropped sequence. Calls that had found the
	// sequence before may still add to it, and see a word of at least closed.
	// No other word gets there: those of a live one end near 1<<63.
	closed = 3 << 62
)

// Sequence hands out the ids of one sequence id, node and partition. Get one
// from [Space.Sequence]. It is safe for concurrent use.
//
// Its state is one word, the time and sequence number that were claimed last:
// time << sequence bits | sequence number. A word only grows, and what a claim
// adds to it belongs to the claimer alone.
//
// The fields are laid out on two cache lines. All callers read the first; the
// second holds the word, which they contend for. A call on the fast path
// touches the second line once, with the add that claims.
type Sequence struct {
	// gate says until when the unit of time that the word has reached cannot
	// have ended; see gate.go. It is published after the word got there, so
	// whoever finds it open may claim word + 1 without a look at the wall clock.
	gate atomic.Int64
	// limit is the first word that MaxAhead forbids, as of the last look at
	// the clock. It only grows.
	limit    atomic.Uint64
	lane     *Lane
	space    *Space
	system   *clock.System
	base     uint64 // node and partition in their places
	mask     uint64 // of the sequence bits
	nodeBits uint32
	span     atomic.Uint32 // how long a gate may stand open, in ticks

	word      atomic.Uint64
	refused   atomic.Uint32 // overflows whose first word was claimed but not given out
	alert     atomic.Uint32 // how many thresholds of being ahead were reported
	id        string
	node      uint64
	partition uint64
	skipped   atomic.Uint64 // words below word that were never claimed; see usage.go
	counted   atomic.Uint64 // the highest count of ids that was told
}

// Caller is what calls of one user have in common. The zero value is usable.
type Caller struct {
	// Listener gets the events that these calls cause. It may be nil.
	Listener *telemetry.Listener
	// Timeout is how long a call without a context may wait.
	Timeout time.Duration
}

func newSequence(sp *Space, l *Lane, id string, node, partition uint64) *Sequence {
	s := &Sequence{
		lane: l, space: sp, system: sp.system,
		base:     sp.base(node, partition),
		mask:     sp.settings.Layout.MaxSequence(),
		nodeBits: uint32(sp.settings.Layout.Node),
		id:       id, node: node, partition: partition,
	}
	s.gate.Store(shut)
	if !sp.bounded {
		s.limit.Store(unlimited)
	}
	s.word.Store(l.shared.Load())
	s.skipped.Store(s.word.Load())
	return s
}

// Next returns the next id. Without a context (nil) a call that has to wait
// does so for c.Timeout at most.
//
// Errors: [AheadError], [BeforeEpochError], [TimeExhaustedError],
// [ErrDropped], those of the fence; ctx's error only together with an
// AheadError or one of the fence.
func (s *Sequence) Next(ctx context.Context, c *Caller) (int64, error) {
	if id := s.TryNext(c); id != 0 {
		return id, nil
	}
	return s.look(ctx, c)
}

// TryNext returns the next id if that takes no look at the wall clock, and else
// 0; Next does the rest. It is the hot path of Next, which it spares the
// context and the error.
func (s *Sequence) TryNext(c *Caller) int64 {
	// s.open, without the call.
	switch g := s.gate.Load(); {
	case g&modes == processor:
		if uint64(g)-clock.Ticks()-1 >= uint64(s.span.Load()) {
			return 0
		}
	case g&modes == 0 && s.system != nil:
		if uint64(g-int64(s.system.Monotonic())-1) >= uint64(trust) {
			return 0
		}
	case !s.open():
		return 0
	}
	// Adding is the whole rule while the clock can't have passed the word's
	// time: the next id is word + 1. The limits are compared after the claim.
	// What lies at or above them is not given out, by anyone.
	w := s.word.Add(1)
	if w&s.mask != 0 && w+1 < s.limit.Load() && w+1 < s.lane.ceiling.Load() {
		return s.pack(w)
	}
	if s.edge(w, c) {
		return s.pack(w)
	}
	return 0
}

// look makes an id as of a look at the clock.
func (s *Sequence) look(ctx context.Context, c *Caller) (int64, error) {
	var o overflow
	b, err := s.claim(ctx, 1, c, &o)
	if err != nil {
		return 0, err
	}
	s.report(&o, c)
	return s.pack(b.first), nil
}

// edge attends to a word that was added at the beginning of a time or near a
// limit, and tells whether it may be given out. To enter a time through the
// gate is an overflow. After the last word below a limit the gate is shut, so
// that the next call meets the limit before it claims.
func (s *Sequence) edge(w uint64, c *Caller) bool {
	if w >= s.limit.Load() || w >= s.lane.ceiling.Load() {
		s.reject(w)
		return false
	}
	if w&s.mask == 0 {
		var o overflow
		s.overflowed(block{w, w}, c, &o)
		s.report(&o, c)
	}
	if s.spent(w) {
		s.gate.Store(shut)
	}
	return true
}

// spent tells whether nothing may be given out after w, as of the last look at
// the clock.
func (s *Sequence) spent(w uint64) bool {
	return w+1 >= s.limit.Load() || w+1 >= s.lane.ceiling.Load()
}

// reject notes that w was claimed at or above a limit. It is lost. Shutting
// the gate makes the next callers look before they claim, so that calls that
// are refused don't push the word on.
func (s *Sequence) reject(w uint64) {
	if w < closed {
		if w&s.mask == 0 {
			s.refused.Add(1)
		}
		s.gate.Store(shut)
	}
}

// pack makes an id of a word.
func (s *Sequence) pack(w uint64) int64 {
	return int64(s.base | w&^s.mask<<(s.nodeBits&63) | w&s.mask)
}

// close ends the sequence and folds where it stood into its lane. The registry
// is locked, so no successor is made before that.
func (s *Sequence) close() {
	s.lane.fold(s.word.Swap(closed))
}

// raise makes cell at least v.
func raise(cell *atomic.Uint64, v uint64) {
	for {
		old := cell.Load()
		if v <= old || cell.CompareAndSwap(old, v) {
			return
		}
	}
}
