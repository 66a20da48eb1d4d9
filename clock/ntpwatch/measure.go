package ntpwatch

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// Offset is how far the system clock was off at one time.
type Offset struct {
	// Server is whose reply this is, as in Options.Servers.
	Server string
	// Address is the address and port that Server stood for.
	Address string
	// Offset is the server's time minus the system clock's: positive when the
	// system clock is behind, negative when it is ahead. Beyond 146 years it is
	// cut to that.
	Offset time.Duration
	// Bound is how far Offset may be from the truth, if the server is honest:
	// the root distance of RFC 5905, plus a step of the system clock while the
	// reply was awaited.
	Bound time.Duration
	// RoundTrip is how long query and reply were under way.
	RoundTrip time.Duration
	// Stratum is the server's distance in servers from a reference clock, 1 to
	// 15.
	Stratum uint8
	// At is what the system clock read when the reply had come.
	At time.Time
	// Faults are the servers that were not gone by, and those that sent a kiss
	// of death after a reply. Empty: all servers answered, and agree.
	Faults []*ServerError
}

// Exceeds reports whether the system clock may be off by more than limit:
// Offset, either way, and Bound taken together.
func (o Offset) Exceeds(limit time.Duration) bool {
	return max(o.Offset, -o.Offset)+o.Bound > limit
}

// Measure asks all servers at once, each several times, and returns the reply
// with the least error bound from a server that more than half of those which
// answered agree with.
//
// When ctx ends Measure returns at once, with what has been answered by then;
// so a deadline may be shorter than the measurement would take.
//
// The error is a [*ServersError]: [ErrNoAnswer], or [ErrDisagree].
func (w *Watch) Measure(ctx context.Context) (Offset, error) {
	replies := make([]*Offset, len(w.servers))
	errs := make([]error, len(w.servers))
	var asking sync.WaitGroup
	for i, server := range w.servers {
		asking.Go(func() { replies[i], errs[i] = server.measure(ctx, &w.options) })
	}
	asking.Wait()

	answers := slices.DeleteFunc(slices.Clone(replies), func(reply *Offset) bool { return reply == nil })
	agreed, outliers := agree(answers)
	var best Offset
	if len(agreed) > 0 {
		best = *agreed[0]
	}
	var faults []*ServerError
	for i, server := range w.servers {
		if slices.Contains(outliers, replies[i]) {
			errs[i] = errors.Join(&OutlierError{Offset: *replies[i], Agreed: best}, errs[i])
		}
		if errs[i] != nil {
			faults = append(faults, &ServerError{Server: server.name, Err: errs[i]})
		}
	}
	switch {
	case len(answers) == 0:
		return Offset{}, &ServersError{Reason: ErrNoAnswer, Servers: faults}
	case len(agreed) == 0:
		return Offset{}, &ServersError{Reason: ErrDisagree, Servers: faults}
	}
	best.Faults = faults
	return best, nil
}

// Check measures once and returns nil if the system clock is off by no more
// than MaxOffset, error bound included. It is the gate to pass before a node
// starts to make ids.
//
// The error is an [*OffsetError], or one of [Watch.Measure] if it can't be told:
// whether to start then is the caller's decision.
func (w *Watch) Check(ctx context.Context) error {
	offset, err := w.Measure(ctx)
	if err != nil {
		return err
	}
	if offset.Exceeds(w.options.MaxOffset) {
		return &OffsetError{Offset: offset, Max: w.options.MaxOffset}
	}
	return nil
}
