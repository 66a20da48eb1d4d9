package sequence

import (
	"context"
	"time"

	"github.com/stampid/go-stamp/clock"
)

// A waiting call looks at the clock at least this often: a step of the wall
// clock may have moved the reference time up.
const longestSleep = time.Second

// block is a run of words, first to last inclusive; it is empty when last is
// below first.
type block struct{ first, last uint64 }

func (b block) empty() bool   { return b.last < b.first }
func (b block) count() uint64 { return b.last - b.first + 1 }

// claim takes up to n words as of a look at the clock: at least one, and fewer
// than n when a limit is near. It waits if the policy says so.
func (s *Sequence) claim(ctx context.Context, n uint64, c *Caller, o *overflow) (block, error) {
	sp := s.space
	own := false // ctx was made here
	for {
		r := sp.settings.Clock.Read()
		now := sp.settings.Timescale.Units(r.Wall)
		b, err := s.claimAt(r, now, n, c, o)
		if err == nil {
			s.reopen(r, now, b.last)
		}
		announce(r, c)
		if now >= sp.warnAt {
			s.warnOfExpiry(r, c)
		}
		if err == nil {
			return b, nil
		}
		switch err.(type) { //nolint:errorlint // claimAt doesn't wrap
		case *AheadError, *fenced:
		default:
			if own {
				err = droppedAt(ctx, err)
			}
			return block{}, err
		}
		if sp.waits && ctx == nil {
			own = true
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(context.Background(), c.Timeout)
			defer cancel() // not per round: the next one has a context
		}
		if err := s.await(ctx, r, err); err != nil {
			return block{}, err
		}
	}
}

// await waits for what err says is missing, the clock or the fence. It returns
// an error if the policy is not to wait, or the wait was in vain.
func (s *Sequence) await(ctx context.Context, r clock.Reading, err error) error {
	sp := s.space
	switch e := err.(type) { //nolint:errorlint // claimAt doesn't wrap
	case *fenced:
		if !sp.waits {
			return s.lane.guard.Request(e.unit)
		}
		return s.lane.guard.Await(ctx, e.unit)
	case *AheadError:
		if !sp.waits {
			return e
		}
		if err := sp.settings.Clock.Sleep(ctx, r, min(e.Ahead-e.Max, longestSleep)); err != nil {
			e.Cause = err
			return e
		}
	}
	return nil
}

// claimAt claims up to n words when the clock, or what a caller passes for it,
// stands in unit now. It never waits.
func (s *Sequence) claimAt(r clock.Reading, now int64, n uint64, c *Caller, o *overflow) (block, error) {
	sp := s.space
	if now < 0 && s.word.Load() == 0 {
		return block{}, &BeforeEpochError{SequenceID: s.id, Time: r.Wall, Epoch: sp.settings.Timescale.Epoch}
	}
	// Once there is a word, a clock that went back behind the epoch is like
	// any that went back. A time beyond the layout's last is cut to one that
	// is refused.
	unit := min(uint64(max(now, 0)), sp.settings.Layout.MaxTime()+1)
	floor := s.lane.floor.Load()
	s.raiseLimit(r, floor)
	old, b, err := s.swap(s.begin(unit), n)
	if err != nil {
		return block{}, err
	}
	if b.empty() {
		if s.lane.floor.Load() != floor { // which happens once
			return s.claimAt(r, now, n, c, o)
		}
		return block{}, s.full(r, b.first)
	}
	s.settle(r, unit, old, b, c, o)
	if l := s.lane; l.guard != nil && b.last >= l.low.Load() {
		// An error is for the call that has no id to give any more.
		_ = l.guard.Request(b.last >> sp.settings.Layout.Sequence)
	}
	return b, nil
}

// swap applies the rule
//
//	next = max(target, word + 1)
//
// for up to n words that lie below the limit and below the lane's ceiling, and
// returns the word that it replaced. If none does, it changes nothing but the
// gate, and the block is empty.
//
// The limit is read after the word. Whoever moved the word had raised the limit
// for it before, so a call whose own reading is older isn't refused for that.
//
// The floor is read after the ceiling. A fence stores it before it raises the
// ceiling for the first time, so what is below the ceiling is above the floor.
func (s *Sequence) swap(target, n uint64) (old uint64, b block, err error) {
	for {
		old = s.word.Load()
		if old >= closed {
			return old, block{}, ErrDropped
		}
		end := min(s.limit.Load(), s.lane.ceiling.Load())
		first := max(target, old+1, s.lane.floor.Load())
		if first >= end {
			s.gate.Store(shut)
			return old, block{first, first - 1}, nil
		}
		last := first + min(n, end-first) - 1
		s.skip(first - old - 1)
		if !s.word.CompareAndSwap(old, last) {
			s.skip(-(first - old - 1))
			continue
		}
		if last+1 >= end {
			s.gate.Store(shut)
		}
		// Whoever lowers the ceiling reads the words after that. So what this
		// claim took may be given out only as far as the ceiling, read again
		// now, allows; the rest is lost.
		if end = s.lane.ceiling.Load(); first < end {
			return old, block{first, min(last, end-1)}, nil
		}
	}
}

// raiseLimit brings the limit of MaxAhead up to date with a reading. Under the
// policy Advance, a fence's floor ahead of the clock counts as the clock.
func (s *Sequence) raiseLimit(r clock.Reading, floor uint64) {
	sp := s.space
	if !sp.bounded {
		return
	}
	reference := uint64(max(sp.settings.Timescale.Units(r.Reference), 0))
	if sp.settings.AheadPolicy == Advance {
		reference = max(reference, floor>>sp.settings.Layout.Sequence)
	}
	last := min(reference+sp.maxAhead, sp.settings.Layout.MaxTime())
	raise(&s.limit, (last+1)<<sp.settings.Layout.Sequence)
}

// full is the error for a sequence whose next word would be next.
func (s *Sequence) full(r clock.Reading, next uint64) error {
	sp := s.space
	switch {
	case next >= s.lane.end(), s.lane.guard == nil && next >= s.lane.ceiling.Load():
		return &TimeExhaustedError{SequenceID: s.id, End: sp.end}
	case s.lane.guard != nil && (!sp.bounded || next < s.limit.Load()):
		return &fenced{unit: next >> sp.settings.Layout.Sequence}
	}
	return &AheadError{
		SequenceID: s.id,
		Ahead:      s.timeOf(next).Sub(r.Reference),
		Max:        time.Duration(sp.maxAhead) * sp.settings.Timescale.Unit,
	}
}

// timeOf is the instant at which a word's unit begins.
func (s *Sequence) timeOf(word uint64) time.Time {
	l := &s.space.settings
	return l.Timescale.Time(word >> l.Layout.Sequence)
}
