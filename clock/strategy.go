package clock

import (
	"fmt"

	"github.com/stampid/go-stamp/clock/internal/counter"
)

// Strategy says how a System tells that a unit of time goes on, between two
// looks at the operating system's wall clock. What is promised of the times of
// ids is the same for all: see the package comment.
type Strategy uint8

const (
	// Auto is Counter on amd64 where the processor calls its counter invariant,
	// and Portable elsewhere, with the build tag purego, and with [Options].Wall.
	Auto Strategy = iota
	// Portable reads the operating system's monotonic clock.
	Portable
	// Counter reads the processor's cycle counter, which takes less than half the
	// time. Its rate is measured against the monotonic clock, and checked with
	// each look at that. While the rate isn't known, and for good when the
	// counter proves not to be steady, it is as Portable; so it is where there is
	// no counter. On arm64 it must be asked for.
	Counter
)

func (s Strategy) String() string {
	switch s {
	case Auto:
		return "auto"
	case Portable:
		return "portable"
	case Counter:
		return "counter"
	}
	return fmt.Sprintf("Strategy(%d)", uint8(s))
}

// newGauge returns what measures the counter that the options ask for, nil if
// none is to be read.
func newGauge(o Options) *gauge {
	switch {
	case o.Strategy == Portable:
		return nil
	case o.Ticks != nil:
		return &gauge{read: o.Ticks}
	case !counter.Exists, !counter.Invariant(), o.Wall != nil:
		return nil
	case o.Strategy != Counter && !counter.Default:
		return nil
	}
	return &gauge{read: counter.Read}
}

// InForce tells what calls go by now: Counter while its rate is known, and else
// Portable.
func (s *System) InForce() Strategy {
	if s.gauge != nil && s.gauge.rate.Load() != nil {
		return Counter
	}
	return Portable
}

// Ticks reads the processor's counter. It is 0 where there is none.
func Ticks() uint64 { return counter.Read() }
