package sequence

import (
	"context"
	"time"

	"github.com/stampid/go-stamp/clock"
)

// NextAt returns the next id with t as the clock for this call. If the
// sequence's time is later than t, the id has the sequence's time.
//
// t doesn't touch the clock's reference time, and the call never waits for the
// clock. For its fence it waits, except under the policy Fail, c.Timeout at
// most. With t
// further than the clock's MaxStep beyond the reference time, and with an id's
// time beyond MaxAhead under the policies Wait and Fail, it fails with an
// [AheadError]; before the epoch with a [BeforeEpochError], at the layout's
// end with a [TimeExhaustedError].
//
// A t in the past can yield ids that an earlier process made at that time,
// if this one has made none since; the caller answers for that.
func (s *Sequence) NextAt(t time.Time, c *Caller) (int64, error) {
	settings := &s.space.settings
	r := settings.Clock.Read()
	defer announce(r, c)
	if t.Before(settings.Timescale.Epoch) {
		return 0, &BeforeEpochError{SequenceID: s.id, Time: t, Epoch: settings.Timescale.Epoch}
	}
	if ahead, most := t.Sub(r.Reference), settings.Clock.MaxStep(); ahead > most {
		return 0, &AheadError{SequenceID: s.id, Ahead: ahead, Max: most}
	}
	var o overflow
	b, err := s.claimAt(r, settings.Timescale.Units(t), 1, c, &o)
	if f, ok := err.(*fenced); ok { //nolint:errorlint // claimAt doesn't wrap
		b, err = s.claimFenced(r, settings.Timescale.Units(t), f, c, &o)
	}
	if err != nil {
		return 0, err
	}
	s.report(&o, c)
	s.alarm(r, b.last, c)
	return s.pack(b.first), nil
}

// claimFenced goes on with a claim that the fence held up.
func (s *Sequence) claimFenced(r clock.Reading, now int64, f *fenced, c *Caller, o *overflow) (block, error) {
	ctx, cancel := context.WithTimeout(context.Background(), c.Timeout)
	defer cancel()
	for {
		if err := s.await(ctx, r, f); err != nil {
			return block{}, droppedAt(ctx, err)
		}
		b, err := s.claimAt(r, now, 1, c, o)
		next, ok := err.(*fenced) //nolint:errorlint // claimAt doesn't wrap
		if !ok {
			return b, err
		}
		f = next
	}
}
