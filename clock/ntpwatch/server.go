package ntpwatch

import (
	"context"
	"errors"
	"sync"
	"time"
)

// server is a server, and what it has asked for.
type server struct {
	name    string // as the user gave it
	address string // host:port

	mu    sync.Mutex
	final *KissError    // not nil: not to be asked again
	pause time.Duration // least time between two measurements; 0 until the first RATE
	next  time.Time     // not to be asked before
}

// forbidden returns the kiss that forbids asking the server now, nil if it may
// be asked.
func (s *server) forbidden() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.final != nil:
		return s.final
	case time.Until(s.next) > 0:
		return &KissError{Code: kissRate, Until: s.next.Round(0)}
	}
	return nil
}

// wait is how long the server must be left alone; ok is false if for ever.
func (s *server) wait() (d time.Duration, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(time.Until(s.next), 0), s.final == nil
}

// asked ends a measurement: it does what a kiss of death wants, and keeps up
// the rate that an earlier one has reduced. Each RATE halves the rate, and
// nothing raises it again: RFC 5905 wants it so.
func (s *server) asked(kiss *KissError, interval time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if kiss != nil && kiss.Final() {
		s.final = kiss
	}
	rate := kiss != nil && kiss.Code == kissRate
	if rate {
		s.pause = min(2*max(s.pause, min(interval, maxPause)), maxPause)
	}
	if s.pause > 0 {
		s.next = time.Now().Add(s.pause)
	}
	if rate {
		kiss.Until = s.next.Round(0)
	}
}

// measure asks the server as often as the options say and returns the best
// reply, nil if none was usable. The error is why there is none, or a kiss of
// death that came after it.
func (s *server) measure(ctx context.Context, o *Options) (*Offset, error) {
	if err := s.forbidden(); err != nil {
		return nil, err
	}
	var best *Offset
	var failure error
	var kiss *KissError
	address := s.address // from the first reply on, one server of a pool
	for i := range o.Samples {
		if i > 0 {
			sleep(ctx, o.Spacing)
		}
		if err := s.forbidden(); err != nil { // by a measurement beside this one
			return best, err
		}
		reply, err := query(ctx, address, o.Timeout)
		if err != nil {
			failure = err
			if errors.As(err, &kiss) {
				break
			}
			continue
		}
		address = reply.Address
		if best == nil || reply.Bound < best.Bound {
			best = reply
			best.Server = s.name
		}
	}
	s.asked(kiss, o.Interval)
	if best != nil && kiss == nil {
		failure = nil
	}
	return best, failure
}

// sleep waits for d or for the end of ctx.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
