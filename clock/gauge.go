package clock

import (
	"sync"
	"sync/atomic"
	"time"
)

const (
	// The rate is known after two of the first of these that agree, and measured
	// anew after each of the second. In between it is checked with every reading.
	firstSpan = 20 * time.Millisecond
	nextSpan  = time.Second
	// A reading that contradicts the rate by more than slack, and one part in
	// slackPart of the time since the rate was measured, is a fault. The
	// monotonic clock is slewed by up to 500 parts in a million.
	slack     = 10 * time.Microsecond
	slackPart = 1024
	// A counter with so many faults is given up, unless they lie apart by more
	// than forgiven, as when a machine is suspended each night.
	maxFaults = 8
	forgiven  = time.Hour
	// A pair of readings that took that much longer than the fastest was
	// interrupted, and says nothing.
	interrupted = 8
	// No counter that counts from a machine's start gets there.
	maxTicks = 1 << 62
	// The end of a time is reckoned early by one part in that: so it isn't
	// late by what the rate is off.
	early = 512
)

// gauge measures the rate of a counter against the monotonic clock, and looks
// whether it keeps it.
type gauge struct {
	read func() uint64
	rate atomic.Pointer[rate] // nil while it isn't known

	mu     sync.Mutex // only ever tried
	base   pair       // of the rate, or the first reading
	based  bool
	once   *rate  // measured, but not confirmed
	best   uint64 // the fastest pair of readings, in ticks
	faults int
	fault  time.Duration // monotonic, of the last one
}

// pair is one reading of both.
type pair struct {
	tick uint64
	mono time.Duration
}

// rate is ticks per nanosecond.
type rate float64

// observe compares a reading of the monotonic clock that lies between the tick
// before and width ticks later, and returns the rate, nil if it isn't known.
func (g *gauge) observe(before, width uint64, mono time.Duration) *rate {
	if !g.mu.TryLock() {
		return g.rate.Load() // somebody else is at it
	}
	defer g.mu.Unlock()
	known := g.rate.Load()
	width = max(width, 1)
	if g.faults > maxFaults || max(before, width) >= maxTicks {
		return nil
	}
	if g.best == 0 || width < g.best {
		if g.best/interrupted > width && known == nil {
			g.based, g.once = false, nil // what was taken until now was interrupted
		}
		g.best = width
	}
	if width/interrupted > g.best {
		return known
	}
	now := pair{before + width/2, mono}
	passed := mono - g.base.mono
	switch {
	case !g.based:
		g.base, g.based = now, true
	case known == nil:
		g.begin(now, passed)
	case !known.fits(int64(now.tick-g.base.tick), passed):
		g.failed(now)
	case passed >= nextSpan:
		g.rate.Store(g.measure(now, passed))
	}
	return g.rate.Load()
}

// begin measures the rate for the first time, or after a fault. If the counter
// jumped meanwhile the rate is wrong, so it must be found twice.
func (g *gauge) begin(now pair, passed time.Duration) {
	switch {
	case passed < 0 || now.tick < g.base.tick:
		g.base, g.once = now, nil
	case passed < firstSpan:
	case g.once == nil:
		g.once = g.measure(now, passed)
	case g.once.fits(int64(now.tick-g.base.tick), passed):
		g.rate.Store(g.measure(now, passed))
		g.once = nil
	default:
		g.once = g.measure(now, passed)
	}
}

// measure returns the rate since the last pair, which now becomes.
func (g *gauge) measure(now pair, passed time.Duration) *rate {
	r := rate(float64(now.tick-g.base.tick) / float64(passed))
	g.base = now
	return &r
}

// failed forgets the rate: the counter jumped, stood still, or changed its
// pace, or this processor's isn't that of another.
func (g *gauge) failed(now pair) {
	if now.mono-g.fault > forgiven {
		g.faults = 0
	}
	g.faults++
	g.fault = now.mono
	g.base, g.once = now, nil
	g.rate.Store(nil)
}

// fits tells whether as many ticks are what a counter of the rate does in as
// much time.
func (r rate) fits(ticks int64, passed time.Duration) bool {
	if r <= 0 {
		return false // it stood still
	}
	off := time.Duration(float64(ticks)/float64(r)) - passed
	return max(off, -off) <= slack+max(passed, -passed)/slackPart
}

// ticks is how many there are in d.
func (r rate) ticks(d time.Duration) uint64 { return uint64(float64(d) * float64(r)) }
