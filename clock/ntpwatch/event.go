package ntpwatch

import "time"

// Event is what [Watch.Run] has to report: a measurement, or that one failed,
// or that one server is not to be gone by. It has the fields of
// telemetry.ClockOffset and converts to it:
//
//	OnEvent: func(e ntpwatch.Event) { telemetry.Emit(nil, telemetry.ClockOffset(e)) },
type Event struct {
	// Server is whose reply the measurement is, or the one that is not to be
	// gone by. Empty when a whole measurement failed.
	Server string
	// Offset, Bound and RoundTrip are those of the measurement, see [Offset].
	Offset, Bound, RoundTrip time.Duration
	// Max is Options.MaxOffset.
	Max time.Duration
	// Exceeded says that the clock may be off by more than Max.
	Exceeded bool
	// Err is why there is no measurement: a [*ServerError] for one server, a
	// [*ServersError] for all. Nil with a measurement.
	Err error
}

func (w *Watch) report(o Offset, err error) {
	for _, fault := range o.Faults {
		w.options.OnEvent(Event{Server: fault.Server, Max: w.options.MaxOffset, Err: fault})
	}
	e := Event{Max: w.options.MaxOffset, Err: err}
	if err == nil {
		e.Server, e.Offset, e.Bound, e.RoundTrip = o.Server, o.Offset, o.Bound, o.RoundTrip
		e.Exceeded = o.Exceeds(w.options.MaxOffset)
	}
	w.options.OnEvent(e)
}
