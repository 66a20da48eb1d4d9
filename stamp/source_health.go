package stamp

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/stampid/go-stamp/sequence"
)

// health is that of the names that this configuration has used.
func (s *source) health(ctx context.Context) Health {
	if err := ended(ctx); err != nil {
		return Health{Err: err}
	}
	h := Health{Left: math.MaxInt64}
	if c := s.calendar; c != nil {
		now := time.Now()
		h.Left = max(s.end().Sub(now), 0)
		switch begin := c.begin(c.epoch); {
		case now.Before(begin):
			h.Err = &sequence.BeforeEpochError{Time: now, Epoch: begin}
		case h.Left == 0:
			h.Err = &sequence.TimeExhaustedError{End: s.end()}
		}
	}
	for id, u := range s.supplies {
		if !u.used.Load() || errors.Is(h.Err, ErrRolledBack) {
			continue
		}
		if err := s.provider.Err(id); err != nil && (h.Err == nil || errors.Is(err, ErrRolledBack)) {
			h.Err = err
		}
	}
	if h.Err != nil {
		h.Left = 0
	}
	return h
}
