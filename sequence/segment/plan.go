package segment

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"time"

	"github.com/stampid/go-stamp/clock"
)

// The first segment of the next group by time is fetched at a random instant
// within this before it, so that many instances don't all ask at midnight.
const (
	earliest = time.Minute
	latest   = time.Second
)

// early is how long before. A segment that would expire by then is fetched later.
func early(ttl time.Duration) time.Duration {
	span := earliest
	if ttl > 0 {
		span = min(span, ttl/2)
	}
	least := min(latest, span/2)
	return least + rand.N(span-least)
}

// background tells whether there are fetches that no caller waits for.
func (g *Generator) background() bool {
	return g.options.Mode != Sync && !g.options.NoBackground && !g.closed && g.stopped == nil
}

// stock is how many numbers there are to be given out.
func (g *Generator) stock() uint64 {
	n := g.current.Load().left()
	for _, s := range g.reserve {
		n += s.left()
	}
	return n
}

// runsLow attends to a claim that reached s.low.
func (g *Generator) runsLow(s *segment) {
	now := time.Now()
	g.mu.Lock()
	defer g.unlock()
	if g.current.Load() == s {
		g.shedNow()
		g.plan(now)
	}
}

// plan starts a fetch in the background if the stock is below the low-water
// mark; else it sets current.low so that the claim that gets there notices.
//
// It leaves alone a generator whose segments were dropped: nobody may want
// more of them, and whoever does will fetch.
func (g *Generator) plan(now time.Time) {
	s := g.current.Load()
	if s.size == 0 {
		return
	}
	if !g.background() {
		s.low.Store(s.size)
		return
	}
	mark := g.lowWater(now)
	behind := uint64(0)
	for _, s := range g.reserve {
		behind += s.left()
	}
	if stays := s.size + behind; stays >= mark {
		index := min(stays-mark, s.size)
		s.low.Store(index)
		// Below it, claims find index; at or above it, they were made before
		// it could be seen, and this is who notices.
		if index == s.size || s.word.Load() <= index {
			return
		}
		s.low.Store(s.size)
	} else {
		s.low.Store(s.size)
	}
	if g.flight == nil && !g.backoff.holds(g.group, now) {
		_ = g.start(g.group, g.missing(), now) // a failure is kept for callers
	}
}

// lowWater is the stock below which a fetch is due.
func (g *Generator) lowWater(now time.Time) uint64 {
	step := uint64(g.options.Step)
	if g.options.Mode == DoubleBuffer {
		if len(g.reserve) > 0 {
			return 0
		}
		high, low := bits.Mul64(step, uint64(g.options.Threshold))
		threshold, _ := bits.Div64(high, low, 100)
		g.sample(now)
		// Half as much again, as no fetch takes exactly as long as the last.
		return min(step, max(threshold, 1, g.meter.during(g.meter.recent*3/2)))
	}
	// A distance that hunger has raised is filled up from its half: so there
	// is one fetch for many segments, and time for it.
	return uint64(clampedProduct(max(g.options.SafeDistance, g.distance.now/2), g.options.Step))
}

// missing is how many numbers to ask for: at least a step.
func (g *Generator) missing() int64 {
	if g.options.Mode != Chain {
		return g.options.Step
	}
	ahead := int64(g.stock() / uint64(g.options.Step))
	return clampedProduct(max(1, g.distance.now-ahead), g.options.Step)
}

// clampedProduct is distance × step, or the most steps that an int64 holds.
func clampedProduct(distance, step int64) int64 {
	return min(distance, math.MaxInt64/step) * step
}

// lookAhead fetches the first segment of the next group by time when that is
// near. Only calls get here, so no idle generator fetches.
func (g *Generator) lookAhead(r clock.Reading, now time.Time) {
	if g.calendar == nil || g.ahead != nil || g.flight != nil || !g.background() || r.Wall.Before(g.group.end.Add(-g.jitter)) {
		return
	}
	next := g.calendar.at(g.group.end)
	if g.backoff.holds(next, now) {
		return
	}
	distance := int64(1)
	if g.options.Mode == Chain {
		// One more than is to stay in reserve. Else the group's first number
		// would call for the next fetch, in all instances at once.
		distance = g.options.SafeDistance + min(1, g.options.MaxPrefetchDistance-g.options.SafeDistance)
	}
	_ = g.start(next, clampedProduct(distance, g.options.Step), now) // a failure is kept for callers
}
