package sequence_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
)

// inBubble runs test with a sequence on a system clock in a synctest bubble,
// with 4 ids per second and a MaxAhead of a second.
func inBubble(t *testing.T, test func(f *fixture, s *sequence.Sequence)) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, layoutWith(2), func(s *sequence.Settings) {
			s.Clock = clock.NewSystem(clock.Options{})
			s.Timescale.Epoch = time.Date(1999, 12, 31, 0, 0, 0, 0, time.UTC)
			s.Timescale.Unit = time.Second
			s.AheadPolicy, s.MaxAhead = sequence.Wait, time.Second
		})
		test(f, f.sequence("orders", 0, 0))
	})
}

func TestAhead_WaitWaitsForTheReferenceTime(t *testing.T) {
	inBubble(t, func(f *fixture, s *sequence.Sequence) {
		begin := time.Now()
		for i := range 40 {
			f.next(s)
			require.Equal(t, time.Duration(max(i/4-1, 0))*time.Second, time.Since(begin), "id %d", i)
		}
		f.appendN(s, 8) // the largest batch, of which nothing is possible now
		require.Equal(t, 10*time.Second, time.Since(begin))
	})
}

func TestAhead_WaitEndsWithItsContext(t *testing.T) {
	inBubble(t, func(f *fixture, s *sequence.Sequence) {
		f.appendN(s, 8)
		begin := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		defer cancel()
		_, err := s.Next(ctx, &f.caller)
		require.Equal(t, 300*time.Millisecond, time.Since(begin))
		require.ErrorIs(t, err, sequence.ErrAhead)
		require.ErrorIs(t, err, context.DeadlineExceeded)

		_, err = s.Next(ended(), &f.caller)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, 300*time.Millisecond, time.Since(begin))
	})
}

func TestAhead_WaitWithoutAContextEndsAtTheTimeout(t *testing.T) {
	inBubble(t, func(f *fixture, s *sequence.Sequence) {
		f.caller.Timeout = 700 * time.Millisecond
		f.appendN(s, 8)
		begin := time.Now()
		_, err := s.Next(noContext, &f.caller)
		require.ErrorIs(t, err, sequence.ErrAhead)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 700*time.Millisecond, time.Since(begin))

		_, err = s.Next(noContext, &f.caller)
		require.NoError(t, err)
		require.Equal(t, time.Second, time.Since(begin))

		f.appendN(s, 3)
		begin = time.Now()
		ids, err := sequence.Append[int64](noContext, s, nil, 8, &f.caller)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Empty(t, ids)
		require.Equal(t, 700*time.Millisecond, time.Since(begin))
	})
}

func TestAhead_PassedTimeNeverWaits(t *testing.T) {
	inBubble(t, func(f *fixture, s *sequence.Sequence) {
		f.appendN(s, 8)
		begin := time.Now()
		for _, d := range []time.Duration{0, -time.Hour, time.Second, 2 * time.Second, time.Minute} {
			_, err := s.NextAt(begin.Add(d), &f.caller)
			require.ErrorIs(t, err, sequence.ErrAhead)
		}
		require.Zero(t, time.Since(begin))
	})
}

// A step of the wall clock that brings the reference time up ends waiting.
func TestAhead_WaitOnAManualClock(t *testing.T) {
	f := newFixture(t, layoutWith(2), bounded(sequence.Wait, 0))
	s := f.sequence("orders", 0, 0)
	f.appendN(s, 4)
	for _, move := range []func(){
		func() { f.clock.Advance(time.Millisecond) },
		func() { f.clock.Step(time.Minute) },
	} {
		got := make(chan int64)
		go func() {
			ids, err := sequence.Append[int64](context.Background(), s, nil, 4, &f.caller)
			if err != nil || len(ids) != 4 {
				t.Errorf("%v, %v", ids, err)
				close(got)
				return
			}
			got <- ids[0]
		}()
		select {
		case <-got:
			t.Fatal("the clock stands: nothing is possible")
		case <-time.After(time.Millisecond):
		}
		move()
		require.Equal(t, f.clock.Read().Wall.Sub(f.start), f.timeOf(<-got))
	}
}
