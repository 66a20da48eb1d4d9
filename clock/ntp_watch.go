package clock

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// OffsetEvent is what [NTP.Watch] has to report: a measurement, or that one
// failed, or that one server is not to be gone by. It has the fields of
// telemetry.ClockOffset and converts to it:
//
//	OnOffset: func(e clock.OffsetEvent) { telemetry.Emit(nil, telemetry.ClockOffset(e)) },
type OffsetEvent struct {
	// Server is whose reply the measurement is, or the one that is not to be
	// gone by. Empty when a whole measurement failed.
	Server string
	// Offset, Bound and RoundTrip are those of the measurement, see [Offset].
	Offset, Bound, RoundTrip time.Duration
	// Max is NTPOptions.MaxOffset.
	Max time.Duration
	// Exceeded says that the clock may be off by more than Max.
	Exceeded bool
	// Err is why there is no measurement: a [*ServerError] for one server, a
	// [*ServersError] for all. Nil with a measurement.
	Err error
}

// Watch measures at once and then each Interval, on the goroutine of the
// caller, until ctx ends, and returns ctx's error. It goes on when the clock
// is off and when servers fail; OnOffset is told. Servers that asked for a
// lower rate are waited for.
//
// It ends earlier only if OnOffset isn't set, with [ErrNTPOptions], or if each
// server has asked not to be asked again, with [ErrNoAnswer].
func (n *NTP) Watch(ctx context.Context) error {
	if n.options.OnOffset == nil {
		return fmt.Errorf("%w: no OnOffset, which Watch reports to", ErrNTPOptions)
	}
	for {
		offset, err := n.Measure(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		n.report(offset, err)
		rest, ok := n.rest()
		if !ok {
			_, err := n.Measure(ctx) // asks nobody
			return err
		}
		sleep(ctx, max(rest, jittered(n.options.Interval)))
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

func (n *NTP) report(o Offset, err error) {
	for _, fault := range o.Faults {
		n.options.OnOffset(OffsetEvent{Server: fault.Server, Max: n.options.MaxOffset, Err: fault})
	}
	e := OffsetEvent{Max: n.options.MaxOffset, Err: err}
	if err == nil {
		e.Server, e.Offset, e.Bound, e.RoundTrip = o.Server, o.Offset, o.Bound, o.RoundTrip
		e.Exceeded = o.Exceeds(n.options.MaxOffset)
	}
	n.options.OnOffset(e)
}

// rest is how long there is nobody to ask; ok is false if for ever.
func (n *NTP) rest() (least time.Duration, ok bool) {
	for _, server := range n.servers {
		if d, alive := server.wait(); alive && (!ok || d < least) {
			least, ok = d, true
		}
	}
	return least, ok
}

// jittered is d, give or take a tenth: a fleet that was started at once isn't
// to ask at once for ever.
func jittered(d time.Duration) time.Duration {
	return d - d/10 + time.Duration(rand.Int64N(int64(d/5)+1))
}
