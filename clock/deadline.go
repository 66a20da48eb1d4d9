package clock

import "time"

// Deadline says until when d, of at most longest, can't have passed since the
// reading r: while [Ticks], or Options.Ticks, is below end, but not by more than
// span. It is about one part in early before that. A counter that jumps can make it
// wrong for longest at most, and the next reading notices; one that stood still
// would keep it for ever, which no processor's does that calls it invariant.
//
// It isn't ok where the counter can't be relied on: see [Strategy].
func (s *System) Deadline(r Reading, d, longest time.Duration) (end, span uint64, ok bool) {
	g := s.gauge
	if g == nil || r.width == 0 {
		return 0, 0, false
	}
	rate := g.observe(r.tick, r.width, r.Monotonic)
	if rate == nil {
		return 0, 0, false
	}
	return r.tick + rate.ticks(d-d/early), rate.ticks(longest) + 1, true
}

// Injected tells whether the counter is Options.Ticks, which [System.Ticks] reads.
func (s *System) Injected() bool { return s.options.Ticks != nil }

// Ticks reads the counter that the clock goes by. It is 0 if there is none.
func (s *System) Ticks() uint64 {
	if s.gauge == nil {
		return 0
	}
	return s.gauge.read()
}
