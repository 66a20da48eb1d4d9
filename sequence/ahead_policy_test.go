package sequence_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence"
)

func TestAhead_AdvanceReportsEachDistanceOnceUntilTheClockCatchesUp(t *testing.T) {
	f := newFixture(t, layoutWith(1), nil) // 2000 ids drive it ahead by a second
	s := f.sequence("orders", 5, 0)
	for range 2 {
		f.appendN(s, 2000)
		require.Empty(t, thresholds(f.events.take()), "999 ms")
		f.next(s)
		aheads := f.events.take().aheads
		require.Len(t, aheads, 1)
		require.Equal(t, time.Second, aheads[0].Ahead)
		require.Equal(t, "orders", aheads[0].SequenceID)
		require.EqualValues(t, 5, aheads[0].Node)

		f.appendN(s, 5000)
		require.Empty(t, thresholds(f.events.take()), "once")
		f.appendN(s, 1<<20)
		require.Equal(t, []time.Duration{time.Minute}, thresholds(f.events.take()))
		for range 7 {
			f.appendN(s, 1<<20)
		}
		require.Equal(t, []time.Duration{time.Hour}, thresholds(f.events.take()))

		f.clock.Advance(50 * time.Minute) // catches up in part
		f.next(s)
		f.appendN(s, 1<<20)
		require.Empty(t, thresholds(f.events.take()), "the clock hasn't caught up")

		f.clock.Advance(10 * time.Hour)
		id := f.next(s)
		require.Equal(t, f.clock.Read().Wall, f.start.Add(f.timeOf(id)))
		f.events.take()
		f.clock.Advance(time.Millisecond)
	}
}

func TestAhead_FailRefusesAtOnce(t *testing.T) {
	f := newFixture(t, layoutWith(3), bounded(sequence.Fail, 1999*time.Microsecond)) // one whole unit
	s := f.sequence("orders", 0, 0)
	for range 16 {
		f.next(s)
	}
	_, err := s.Next(context.Background(), &f.caller)
	require.ErrorIs(t, err, sequence.ErrAhead)
	require.NotErrorIs(t, err, context.DeadlineExceeded)
	var ahead *sequence.AheadError
	require.ErrorAs(t, err, &ahead)
	require.Equal(t, 2*time.Millisecond, ahead.Ahead)
	require.Equal(t, time.Millisecond, ahead.Max)
	require.NoError(t, ahead.Cause)
}

// Callers that retry in a loop must not keep generation ahead of the clock.
func TestAhead_RefusedCallsDoNotPushTheWordOn(t *testing.T) {
	for _, policy := range []sequence.AheadPolicy{sequence.Wait, sequence.Fail} {
		f := newFixture(t, layoutWith(2), bounded(policy, 0))
		s := f.sequence("orders", 0, 0)
		for unit := range time.Duration(20) {
			ids := []int64{f.next(s), f.next(s), f.next(s), f.next(s)}
			for i, id := range ids {
				require.Equal(t, unit*time.Millisecond, f.timeOf(id))
				require.EqualValues(t, i, f.parts(id).Sequence, "%v: every number is used", policy)
			}
			for range 100 {
				_, err := s.Next(ended(), &f.caller)
				require.ErrorIs(t, err, sequence.ErrAhead)
				_, err = sequence.Append[int64](ended(), s, nil, 4, &f.caller)
				require.ErrorIs(t, err, sequence.ErrAhead)
				_, err = s.NextAt(f.start, &f.caller)
				require.ErrorIs(t, err, sequence.ErrAhead)
			}
			f.clock.Advance(time.Millisecond)
		}
	}
}

// The same from many goroutines: what they lose in a race at the limit is
// bounded by their number, not by how often they retry.
func TestAhead_RefusedCallsOfManyGoroutinesDoNotPushTheWordOn(t *testing.T) {
	const goroutines, calls = 8, 2000
	f := newFixture(t, layoutWith(3), bounded(sequence.Fail, 0))
	s := f.sequence("orders", 0, 0)
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for range calls {
				_, _ = s.Next(context.Background(), &f.caller)
			}
		})
	}
	wg.Wait()
	f.clock.Advance(3 * time.Millisecond)
	require.Equal(t, 3*time.Millisecond, f.timeOf(f.next(s)))
}

func TestAhead_BatchLargerThanTheBoundCanAllow(t *testing.T) {
	for _, policy := range []sequence.AheadPolicy{sequence.Wait, sequence.Fail} {
		f := newFixture(t, layoutWith(4), bounded(policy, 9*time.Millisecond))
		s := f.sequence("orders", 0, 0)
		for _, n := range []int{161, 1 << 20, 1<<20 + 1, 0, -1} {
			dst := []int64{7}
			dst, err := sequence.Append(context.Background(), s, dst, n, &f.caller)
			require.ErrorIs(t, err, sequence.ErrBatch)
			require.Equal(t, &sequence.BatchError{N: n, Max: 160}, err)
			require.Equal(t, []int64{7}, dst)
		}
		require.Len(t, f.appendN(s, 160), 160, "the largest possible")
	}
}

func TestAhead_BatchSizesWithoutABound(t *testing.T) {
	f := newFixture(t, layoutWith(4), nil)
	s := f.sequence("orders", 0, 0)
	for _, n := range []int{0, -1, -1 << 63, 1<<20 + 1, 1<<63 - 1} {
		_, err := sequence.Append[int64](context.Background(), s, nil, n, &f.caller)
		require.Equal(t, &sequence.BatchError{N: n, Max: sequence.MaxBatch}, err)
	}
	f.appendN(s, sequence.MaxBatch)
}

func TestAhead_BatchKeepsWhatItClaimedBeforeAnError(t *testing.T) {
	f := newFixture(t, layoutWith(2), bounded(sequence.Fail, time.Millisecond))
	s := f.sequence("orders", 0, 0)
	f.appendN(s, 3)
	ids, err := sequence.Append(context.Background(), s, []int64{7}, 8, &f.caller)
	require.ErrorIs(t, err, sequence.ErrAhead)
	require.Len(t, ids, 6)
}
