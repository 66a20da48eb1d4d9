package sequence

import (
	"math"
	"time"

	"github.com/stampid/go-stamp/clock"
)

// A gate is a time: while that isn't reached, the unit of time of the
// sequence's word goes on, and calls claim without a look at the wall clock. Its
// lowest bits say on what it is read; so times are rounded down to multiples of
// four.
//
//	mode       unit          read by
//	0          nanoseconds   Clock.Monotonic
//	processor  ticks         clock.Ticks
//	injected   ticks         System.Ticks, in tests
//
// A gate is open before its time, but not by more than it was set ahead: else
// what it is read on was set back, or is another by now.
const (
	modes     = 3
	processor = 1
	injected  = 2

	// shut as a sequence's gate sends every call to the slow path. No monotonic
	// clock gets near it, which lies 146 years before its beginning; the lowest
	// int64 wraps around to the highest, where a clock may stand that is stuck.
	shut = math.MinInt64 / 2
	// trust is how long a gate may stand open: a step of the wall clock is
	// noticed no later.
	trust = 10 * time.Millisecond
)

// open tells whether the unit can't have ended.
func (s *Sequence) open() bool {
	switch g := s.gate.Load(); g & modes {
	case processor:
		return uint64(g)-clock.Ticks()-1 < uint64(s.span.Load())
	case injected:
		return uint64(g)-s.system.Ticks()-1 < uint64(s.span.Load())
	default:
		return uint64(g-int64(s.space.settings.Clock.Monotonic())-1) < uint64(trust)
	}
}

// reopen lets the fast path claim until the unit now can have ended, or trust
// is used up. It doesn't when last, which was claimed, stands at a limit.
func (s *Sequence) reopen(r clock.Reading, now int64, last uint64) {
	if now < 0 || s.spent(last) {
		return
	}
	scale := &s.space.settings.Timescale
	rest := min(scale.Time(uint64(now)+1).Sub(r.Wall), trust)
	if s.system != nil {
		if end, span, ok := s.system.Deadline(r, rest, min(scale.Unit, trust)); ok {
			mode := int64(processor)
			if s.system.Injected() {
				mode = injected
			}
			// The rate of a counter hardly changes, so it doesn't matter if one
			// reads the gate of one setting and the span of another.
			s.span.Store(uint32(min(span, math.MaxUint32)))
			s.gate.Store(int64(end)&^modes | mode)
			return
		}
	}
	if end := r.Monotonic + rest; end > r.Monotonic { // not wrapped
		s.gate.Store(int64(end) &^ modes)
	}
}
