package sequence

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/telemetry"
)

func newCeilingSequence(t *testing.T, policy AheadPolicy) *Sequence {
	t.Helper()
	epoch := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	sp, err := NewRegistry().Space(Settings{
		Layout:      bits.Layout{Time: 41, Node: 18, Sequence: 4},
		Timescale:   bits.Timescale{Epoch: epoch, Unit: time.Millisecond},
		Clock:       clock.NewManual(epoch.Add(time.Hour)),
		AheadPolicy: policy,
	})
	require.NoError(t, err)
	s, err := sp.Sequence("orders", 1, 0)
	require.NoError(t, err)
	return s
}

// A call may have found the gate open before others used up what there was.
// It claims beyond the limit then, but gives nothing out.
func TestCallThatWasLateAtTheGate(t *testing.T) {
	late := map[string]func(*Sequence) error{
		"Next": func(s *Sequence) error { _, err := s.Next(context.Background(), &Caller{}); return err },
		"Append": func(s *Sequence) error {
			_, err := Append[int64](context.Background(), s, nil, 5, &Caller{})
			return err
		},
	}
	for name, call := range late {
		s := newCeilingSequence(t, Fail)
		require.NoError(t, late["Next"](s))
		s.word.Store(s.limit.Load() - 1)
		s.gate.Store(int64(trust))
		require.ErrorIs(t, call(s), ErrAhead, name)
		require.EqualValues(t, shut, s.gate.Load(), name)
		word := s.word.Load()
		require.ErrorIs(t, call(s), ErrAhead, name)
		require.Equal(t, word, s.word.Load(), "%s: refused before it claims", name)

		s = newCeilingSequence(t, Advance)
		require.NoError(t, late["Next"](s))
		s.lane.ceiling.Store(s.word.Load() + 1)
		s.gate.Store(int64(trust))
		require.ErrorIs(t, call(s), ErrTimeExhausted, name)
		require.EqualValues(t, shut, s.gate.Load(), name)
	}
}

// Whoever lowers the ceiling and then reads a word knows that no call returns
// an id above that word any more.
func TestLoweredCeilingStopsEveryClaim(t *testing.T) {
	for round := range 1000 {
		s := newCeilingSequence(t, Advance)
		var ids []int64
		var wg sync.WaitGroup
		wg.Go(func() {
			for err := error(nil); err == nil; {
				if round%2 == 0 {
					ids, err = Append(context.Background(), s, ids, 5, &Caller{})
					continue
				}
				var id int64
				if id, err = s.Next(context.Background(), &Caller{}); err == nil {
					ids = append(ids, id)
				}
			}
		})
		for s.word.Load() == 0 {
			runtime.Gosched()
		}
		s.lane.ceiling.Store(0)
		seen := s.word.Load()
		wg.Wait()
		for _, id := range ids[max(len(ids)-1, 0):] {
			require.LessOrEqual(t, uint64(id)>>22<<4|uint64(id)&15, seen)
		}
	}
}

// The first number of a time may be lost by a call that was late at the gate.
// The next call that is given one of that time reports the overflow.
func TestOverflowOfALostNumberIsReportedOnce(t *testing.T) {
	s := newCeilingSequence(t, Fail)
	var counts []int
	c := &Caller{Listener: &telemetry.Listener{OnOverflow: func(e telemetry.Overflow) { counts = append(counts, e.Count) }}}
	next := func() error { _, err := s.Next(context.Background(), c); return err }
	require.NoError(t, next())
	s.word.Store(s.limit.Load() - 1)
	s.gate.Store(int64(trust))
	require.ErrorIs(t, next(), ErrAhead)
	require.Empty(t, counts)

	manual := s.space.settings.Clock.(*clock.Manual)
	manual.Step(-time.Minute) // the reference time goes on, so the wall clock is behind the word
	manual.Advance(time.Millisecond)
	require.NoError(t, next())
	require.NoError(t, next())
	require.Equal(t, []int{1}, counts)
}
