package sequence_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/telemetry"
)

// A wall clock that steps back by an hour makes nothing ahead, stops nothing.
func TestAhead_ReferenceTimeIsTheHighestReading(t *testing.T) {
	for _, policy := range []sequence.AheadPolicy{sequence.Advance, sequence.Wait, sequence.Fail} {
		f := newFixture(t, layoutWith(4), bounded(policy, 0))
		s := f.sequence("orders", 0, 0)
		f.next(s)
		f.step(-time.Hour) // the reference time goes on: 10 ms later
		for i := range 160 {
			id, err := s.Next(ended(), &f.caller)
			require.NoError(t, err, "%v, id %d", policy, i)
			require.LessOrEqual(t, f.timeOf(id), trust)
		}
		events := f.events.take()
		require.Empty(t, events.aheads)
		require.Len(t, events.steps, 1)
		require.Equal(t, telemetry.StepBack, events.steps[0].Kind)
		for _, o := range events.overflows {
			require.Zero(t, o.Ahead)
		}
	}
}

// The monotonic clock moves the reference time on while the wall clock is back.
func TestAhead_ReferenceTimeMovesOnWithTheMonotonicClock(t *testing.T) {
	f := newFixture(t, layoutWith(1), bounded(sequence.Fail, 0))
	s := f.sequence("orders", 0, 0)
	f.appendN(s, 2)
	f.step(-time.Hour)
	for range 50 {
		f.clock.Advance(time.Millisecond)
		f.appendN(s, 2)
	}
}

func TestAhead_ForwardStepIsHeldThenFollowed(t *testing.T) {
	const jump = 10 * 365 * 24 * time.Hour
	f := newFixture(t, layoutWith(8), nil)
	s := f.sequence("orders", 0, 0)
	f.next(s)
	f.step(jump)
	require.Equal(t, trust, f.timeOf(f.next(s)), "held")
	f.clock.Advance(clock.DefaultStepConfirm - time.Second)
	require.Equal(t, trust+9*time.Second, f.timeOf(f.next(s)), "still held")
	f.clock.Advance(time.Second)
	require.Equal(t, jump+trust+10*time.Second, f.timeOf(f.next(s)), "followed")

	steps := f.events.take().steps
	require.Len(t, steps, 2)
	require.Equal(t, telemetry.StepHeld, steps[0].Kind)
	require.Equal(t, telemetry.StepFollowed, steps[1].Kind)
	require.Equal(t, jump, steps[1].By)
}

func TestAhead_OneWrongSecondOfTheClockPoisonsNothing(t *testing.T) {
	const jump = 10 * 365 * 24 * time.Hour
	f := newFixture(t, layoutWith(8), bounded(sequence.Fail, 0))
	s := f.sequence("orders", 0, 0)
	f.next(s)
	f.step(jump)
	f.next(s)
	f.clock.Advance(time.Second)
	f.next(s)
	f.step(-jump)
	require.Equal(t, time.Second+2*trust, f.timeOf(f.next(s)))
	require.Equal(t, time.Second+2*trust, f.clock.Read().Reference.Sub(f.start))
}

func TestAhead_PassedTimeBeyondMaxStepIsRefusedInEveryPolicy(t *testing.T) {
	for _, policy := range []sequence.AheadPolicy{sequence.Advance, sequence.Wait, sequence.Fail} {
		f := newFixture(t, layoutWith(8), bounded(policy, 2*time.Hour))
		s := f.sequence("orders", 0, 0)
		reference := f.clock.Read().Reference

		_, err := s.NextAt(f.start.Add(clock.DefaultMaxStep+1), &f.caller)
		require.ErrorIs(t, err, sequence.ErrAhead, policy)
		var ahead *sequence.AheadError
		require.ErrorAs(t, err, &ahead)
		require.Equal(t, clock.DefaultMaxStep+1, ahead.Ahead)
		require.Equal(t, clock.DefaultMaxStep, ahead.Max)
		require.Zero(t, f.timeOf(f.next(s)), "the refused time left no trace")

		id, err := s.NextAt(f.start.Add(clock.DefaultMaxStep), &f.caller)
		require.NoError(t, err)
		require.Equal(t, clock.DefaultMaxStep, f.timeOf(id))
		require.Equal(t, reference, f.clock.Read().Reference, "a passed time never moves the reference time")
	}
}

func TestAhead_PassedTimeBehindTheWordYieldsTheWordsTime(t *testing.T) {
	f := newFixture(t, layoutWith(8), nil)
	s := f.sequence("orders", 0, 0)
	first := f.next(s)
	id, err := s.NextAt(epoch, &f.caller)
	require.NoError(t, err)
	require.Equal(t, first+1, id)
}

// A word that was brought ahead of the clock by passed times is reported like
// any other, and no more than once.
func TestAhead_PassedTimesReportEachDistanceOnce(t *testing.T) {
	f := newFixture(t, layoutWith(8), nil)
	s := f.sequence("orders", 0, 0)
	for range 3 {
		_, err := s.NextAt(f.start.Add(2*time.Minute), &f.caller)
		require.NoError(t, err)
	}
	require.Equal(t, []time.Duration{time.Second, time.Minute}, thresholds(f.events.take()))
}

func TestAhead_BeforeTheEpochNamesBothInstants(t *testing.T) {
	f := newFixture(t, layoutWith(8), nil)
	early := epoch.Add(-time.Millisecond)
	f.clock.Set(early)
	s := f.sequence("orders", 0, 0)
	calls := map[string]func() error{
		"Next":   func() error { _, err := s.Next(context.Background(), &f.caller); return err },
		"NextAt": func() error { _, err := s.NextAt(early, &f.caller); return err },
		"Append": func() error {
			_, err := sequence.Append[int64](context.Background(), s, nil, 5, &f.caller)
			return err
		},
	}
	for name, call := range calls {
		err := call()
		require.ErrorIs(t, err, sequence.ErrBeforeEpoch, name)
		var before *sequence.BeforeEpochError
		require.ErrorAs(t, err, &before, name)
		require.True(t, before.Time.Equal(early), name)
		require.Equal(t, epoch, before.Epoch, name)
		require.ErrorContains(t, err, "2025-12-31T23:59:59.999Z", name)
		require.ErrorContains(t, err, "2026-01-01T00:00:00Z", name)
	}
	f.clock.Advance(time.Millisecond)
	require.EqualValues(t, 1, f.next(s), "the unit 0 begins with number 1: 0 is no id")
}

// Once there is a word, a clock that goes back behind the epoch is like any
// other that goes back.
func TestAhead_ClockBackBehindTheEpoch(t *testing.T) {
	f := newFixture(t, layoutWith(8), nil)
	s := f.sequence("orders", 0, 0)
	first := f.next(s)
	f.step(-2 * time.Hour)
	require.Equal(t, first+1, f.next(s))
}

func TestAhead_LastTimeOfTheLayout(t *testing.T) {
	layout := bits.Layout{Partition: 40, Time: 10, Node: 9, Sequence: 4}
	for _, policy := range []sequence.AheadPolicy{sequence.Advance, sequence.Wait, sequence.Fail} {
		f := newFixture(t, layout, bounded(policy, time.Hour))
		f.clock.Set(epoch.Add(1023 * time.Millisecond))
		s := f.sequence("orders", 511, 1<<40-1)
		last := f.appendN(s, 16)[15]
		require.Equal(t, layout.MaxID(), last)
		for range 100 {
			_, err := s.Next(context.Background(), &f.caller)
			require.ErrorIs(t, err, sequence.ErrTimeExhausted, policy)
			_, err = sequence.Append[int64](context.Background(), s, nil, 3, &f.caller)
			require.ErrorIs(t, err, sequence.ErrTimeExhausted, policy)
			_, err = s.NextAt(epoch, &f.caller)
			require.ErrorIs(t, err, sequence.ErrTimeExhausted, policy)
		}
		var exhausted *sequence.TimeExhaustedError
		f.clock.Advance(time.Hour)
		_, err := s.Next(context.Background(), &f.caller)
		require.ErrorAs(t, err, &exhausted)
		require.Equal(t, epoch.Add(1024*time.Millisecond), exhausted.End)
		require.Empty(t, f.events.take().overflows, "no id was made after the last")
	}
}

func TestAhead_ExpiringIsReportedOnceInTheLastTwoYears(t *testing.T) {
	layout := bits.Layout{Partition: 4, Time: 37, Node: 14, Sequence: 8} // 4.36 years of milliseconds
	const twoYears = 2 * 365 * 24 * time.Hour
	f := newFixture(t, layout, nil)
	end := f.space.Settings().Timescale.End(layout)
	s := f.sequence("orders", 1, 2)
	f.clock.Advance(end.Add(-twoYears - time.Millisecond).Sub(f.start))
	f.next(s)
	require.Empty(t, f.events.take().expiring)
	f.clock.Advance(time.Millisecond)
	for range 3 {
		f.next(s)
		f.next(f.sequence("others", 1, 3))
		f.clock.Advance(time.Hour)
	}
	require.Equal(t, []telemetry.Expiring{{
		SequenceID: "orders", Node: 1, Partition: 2, End: end, Left: twoYears,
	}}, f.events.take().expiring)
}

func thresholds(e *events) (list []time.Duration) {
	for _, a := range e.aheads {
		list = append(list, a.Threshold)
	}
	return list
}
