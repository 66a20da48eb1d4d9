package clock

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// No process runs this long. A monotonic clock that says so, or that went back
// further than readings of several goroutines can be out of order, belongs to
// another time line: a testing/synctest bubble was entered or left.
const (
	longestRun = 20 * 365 * 24 * time.Hour
	outOfOrder = time.Minute
)

var defaultSystem = sync.OnceValue(func() *System { return NewSystem(Options{}) })

// Default is the process-wide clock, with default options. All sequences that
// are given no other clock share it and its reference time.
func Default() *System { return defaultSystem() }

// System reads the clocks of the operating system. It is made by [NewSystem]; the
// zero value stands still and is refused by sequences. It is safe for concurrent
// use and doesn't lock, except while it holds a step.
type System struct {
	anchor   time.Time // fixed point of Monotonic
	options  Options
	gauge    *gauge // nil without a counter
	follower atomic.Pointer[follower]
}

// NewSystem makes a system clock with a reference time of its own. It reads
// the clock once.
func NewSystem(o Options) *System {
	return &System{anchor: time.Now(), options: o.withDefaults(), gauge: newGauge(o)}
}

// Monotonic is the time since the clock was made.
func (s *System) Monotonic() time.Duration { return time.Since(s.anchor) }

// Read takes a reading. Inside a testing/synctest bubble it follows the
// bubble's time line, with a reference time that starts there; outside it
// again, a new reference time starts too.
func (s *System) Read() Reading {
	tick, width := uint64(0), uint64(0)
	if s.gauge != nil {
		tick = s.gauge.read()
	}
	now := time.Now()
	if s.gauge != nil && s.real(now) {
		width = max(s.gauge.read()-tick, 1)
	}
	begin := now.Sub(s.anchor)
	mono := begin
	if s.options.Wall != nil {
		// Between two looks at two clocks the process may be put aside, for
		// however long. A monotonic time of after that can't take the
		// reference time beyond the wall clock; and callers, who reckon from
		// the one of before it, can't believe a unit to last too long.
		now = s.options.Wall()
		mono = s.Monotonic()
	}
	f := s.follower.Load()
	for f == nil || f.startMono-mono > outOfOrder || mono-f.startMono > longestRun {
		fresh := newFollower(s.options, now, mono)
		if s.follower.CompareAndSwap(f, fresh) {
			f = fresh
			break
		}
		f = s.follower.Load()
	}
	r := f.read(now, mono)
	r.Monotonic, r.tick, r.width = begin, tick, width
	return r
}

// bubble is how far package time is from the operating system at least, inside a
// testing/synctest bubble: decades, in truth.
const bubble = time.Hour

// real tells whether now, of package time, is the operating system's time. The
// counter knows of no other.
func (s *System) real(now time.Time) bool {
	if s.options.Ticks != nil {
		return true
	}
	kernel, ok := kernelTime()
	off := kernel.Sub(now.Round(0))
	return ok && -bubble < off && off < bubble
}

// Sleep waits until d after the reading from, or for ctx.
func (s *System) Sleep(ctx context.Context, from Reading, d time.Duration) error {
	timer := time.NewTimer(d - (s.Monotonic() - from.Monotonic))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// MaxStep is the configured MaxStep.
func (s *System) MaxStep() time.Duration { return s.options.MaxStep }
