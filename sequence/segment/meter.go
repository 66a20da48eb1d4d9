package segment

import (
	"math"
	"time"
)

// Samples of the rate are this far apart at least.
const leastSample = time.Millisecond

// meter is what a generator counts, under its lock.
type meter struct {
	used           uint64 // ids given out of segments that are gone
	wastedTTL      uint64
	wastedGroup    uint64
	wastedUnknown  uint64
	wastedRollback uint64

	fetches, failures uint64
	leftBehind        int // store calls that were given up and haven't returned
	latency           histogram
	recent            time.Duration // how long a fetch takes at present
	waits             histogram
	rollbacks         uint64

	sampled    time.Time // of the last sample
	sampledAt  uint64    // ids given out by then
	rate, peak float64   // ids a second
}

// given is how many ids were given out.
func (g *Generator) given() uint64 {
	return g.meter.used + g.current.Load().claimed()
}

// sample brings the rate up to date. It is an average in which what is a
// second old counts for a third.
func (g *Generator) sample(now time.Time) {
	m := &g.meter
	if m.sampled.IsZero() {
		m.sampled, m.sampledAt = now, g.given()
		return
	}
	passed := now.Sub(m.sampled)
	if passed < leastSample {
		return
	}
	given := g.given()
	rate := float64(given-m.sampledAt) / passed.Seconds()
	m.rate += (rate - m.rate) * (1 - math.Exp(-passed.Seconds()))
	m.peak = max(m.peak, m.rate)
	m.sampled, m.sampledAt = now, given
}

// fetched notes how long a fetch took. What is recent follows slower fetches at
// once and faster ones by and by.
func (m *meter) fetched(took time.Duration) {
	m.latency.add(took)
	m.recent = max(took, m.recent-(m.recent-took)/8)
}

// during is how many ids are used up in d at the present rate.
func (m *meter) during(d time.Duration) uint64 {
	return uint64(min(m.rate*d.Seconds(), 1<<62))
}

// lasts is how long n ids last at a rate.
func lasts(n uint64, rate float64) time.Duration {
	if seconds := float64(n) / rate; seconds < time.Duration(math.MaxInt64).Seconds() {
		return time.Duration(seconds * float64(time.Second))
	}
	return math.MaxInt64
}

// waited notes that a call has waited since then for numbers; not if zero.
func (g *Generator) waited(since time.Time) {
	if since.IsZero() {
		return
	}
	d := time.Since(since)
	g.mu.Lock()
	g.meter.waits.add(d)
	g.mu.Unlock()
}
