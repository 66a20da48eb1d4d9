package clock

import (
	"context"
	"time"
)

const (
	// DefaultMaxStep is how far the wall clock may jump forward and be
	// followed at once.
	DefaultMaxStep = time.Hour
	// DefaultStepConfirm is how long a longer jump must be read before it is
	// followed.
	DefaultStepConfirm = 10 * time.Second
)

// Clock is what a sequence reads. [System] and [Manual] implement it. An
// implementation must be comparable and safe for concurrent use.
type Clock interface {
	// Read takes one consistent reading.
	Read() Reading
	// Monotonic is the Monotonic field of a Reading taken now, for callers
	// that need no more. It is the cheap call.
	Monotonic() time.Duration
	// Sleep returns at d after the reading from, or with ctx's error when ctx
	// ends first. It may return early: callers read the clock again.
	Sleep(ctx context.Context, from Reading, d time.Duration) error
	// MaxStep is the longest jump forward that is followed at once. It is
	// above 0, but for a clock that wasn't made as it should be.
	MaxStep() time.Duration
}

// Reading is one look at a clock.
type Reading struct {
	Wall      time.Time     // the time that ids take
	Reference time.Time     // the highest Wall so far, moved on by the monotonic clock
	Monotonic time.Duration // since a fixed point of the clock
	Step      Step          // what this reading was the first to notice

	moves uint64 // of a Manual clock, before this reading
	tick  uint64 // of a System's counter, before this reading
	width uint64 // and how many ticks later it was taken; 0 if it wasn't read
}

// Options configure a clock. The zero value is the default.
type Options struct {
	// MaxStep is the longest jump forward that is followed at once.
	// 0: DefaultMaxStep; a negative one counts as 0 too.
	MaxStep time.Duration
	// StepConfirm is how long a longer jump must be read before it is
	// followed. 0: DefaultStepConfirm; a negative one counts as 0 too.
	StepConfirm time.Duration
	// Wall reads the wall clock; nil is time.Now. System only.
	Wall func() time.Time
	// Strategy says how a System tells that a unit of time goes on.
	Strategy Strategy
	// Ticks, for tests, is read in place of the processor's counter, also with
	// Wall and on any architecture. System only.
	Ticks func() uint64
}

func (o Options) withDefaults() Options {
	if o.MaxStep <= 0 {
		o.MaxStep = DefaultMaxStep
	}
	if o.StepConfirm <= 0 {
		o.StepConfirm = DefaultStepConfirm
	}
	return o
}
