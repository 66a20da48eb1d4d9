package clock

import (
	"context"
	"sync"
	"time"
)

// Manual is a clock that moves only when it is told to, made by [NewManual]. It
// is safe for concurrent use. Its rules for steps are those of a [System] with default
// options.
//
// Sequences look at the wall clock as often as they do with a system clock:
// when a unit, or 10 ms, has passed on the monotonic clock. A test that moves
// the wall clock alone, by Step or Set, advances a little as well.
type Manual struct {
	mu       sync.Mutex
	start    time.Time
	mono     time.Duration
	offset   time.Duration // of the wall clock against start + mono
	follower *follower
	moves    uint64
	moved    chan struct{} // closed, and replaced, by each move
}

// NewManual makes a clock that stands at start.
func NewManual(start time.Time) *Manual {
	return &Manual{
		start:    start,
		follower: newFollower(Options{}.withDefaults(), start, 0),
		moved:    make(chan struct{}),
	}
}

// Advance lets d pass on the wall clock and the monotonic clock. A negative d
// is ignored: time doesn't pass backwards, see [Manual.Step].
func (m *Manual) Advance(d time.Duration) {
	if d > 0 {
		m.move(func() { m.mono += d })
	}
}

// Step moves the wall clock alone, as a correction by d does.
func (m *Manual) Step(d time.Duration) {
	m.move(func() { m.offset += d })
}

// Set moves the wall clock alone, to t. A jump forward of more than MaxStep is
// held until it has been read for StepConfirm, like any other.
func (m *Manual) Set(t time.Time) {
	m.move(func() { m.offset = t.Sub(m.start.Add(m.mono)) })
}

func (m *Manual) move(change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change()
	m.moves++
	close(m.moved)
	m.moved = make(chan struct{})
}

// Read takes a reading.
func (m *Manual) Read() Reading {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.follower.read(m.start.Add(m.mono).Add(m.offset), m.mono)
	r.moves = m.moves
	return r
}

// Monotonic is how far the clock was advanced.
func (m *Manual) Monotonic() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.mono
}

// Sleep returns when the clock has been moved since the reading from, in
// whatever way, or with ctx's error when ctx ends first.
func (m *Manual) Sleep(ctx context.Context, from Reading, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	m.mu.Lock()
	moves, moved := m.moves, m.moved
	m.mu.Unlock()
	if moves != from.moves {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-moved:
		return nil
	}
}

// MaxStep is [DefaultMaxStep], and 0 for the zero Manual, which can't be read.
func (m *Manual) MaxStep() time.Duration {
	if m.follower == nil {
		return 0
	}
	return m.follower.maxStep
}
