package clock_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
)

func TestSystemReadsTheWallClock(t *testing.T) {
	s := clock.NewSystem(clock.Options{})
	before := time.Now().Round(0)
	r := s.Read()
	after := time.Now().Round(0)
	require.False(t, r.Wall.Before(before.Add(-time.Millisecond)), "%v < %v", r.Wall, before)
	require.False(t, r.Wall.After(after.Add(time.Millisecond)), "%v > %v", r.Wall, after)
	require.LessOrEqual(t, r.Monotonic, s.Monotonic())
}

func TestSystemFollowsTheGivenWallClock(t *testing.T) {
	var offset time.Duration
	s := clock.NewSystem(clock.Options{
		MaxStep: time.Minute,
		Wall:    func() time.Time { return time.Now().Add(offset) },
	})
	s.Read()
	require.Equal(t, time.Minute, s.MaxStep())
	offset = 30 * time.Second
	require.Equal(t, clock.NoStep, s.Read().Step.Kind)
	offset = time.Hour
	require.Equal(t, clock.StepHeld, s.Read().Step.Kind)
	offset = -time.Hour
	require.Equal(t, clock.StepBack, s.Read().Step.Kind)
}

func TestSystemIsConfirmedOnTheMonotonicClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var offset time.Duration
		s := clock.NewSystem(clock.Options{Wall: func() time.Time { return time.Now().Add(offset) }})
		begin := s.Read().Wall
		offset = 48 * time.Hour
		require.Equal(t, clock.StepHeld, s.Read().Step.Kind)
		time.Sleep(clock.DefaultStepConfirm)
		r := s.Read()
		require.Equal(t, clock.StepFollowed, r.Step.Kind)
		require.Equal(t, begin.Add(offset+clock.DefaultStepConfirm), r.Wall)
	})
}

// One clock may be used outside a bubble, inside one and outside again, as the
// default clock is by a package whose tests do both.
func TestSystemInAndOutOfABubble(t *testing.T) {
	s := clock.NewSystem(clock.Options{})
	outside := s.Read()
	synctest.Test(t, func(t *testing.T) {
		r := s.Read()
		require.Equal(t, 2000, r.Wall.Year())
		require.Equal(t, r.Wall, r.Reference, "a bubble has its own reference time")
		time.Sleep(time.Hour)
		require.Equal(t, r.Wall.Add(time.Hour), s.Read().Wall)
	})
	r := s.Read()
	require.Equal(t, clock.NoStep, r.Step.Kind)
	require.WithinDuration(t, outside.Wall, r.Wall, 10*time.Minute)
	require.WithinDuration(t, outside.Reference, r.Reference, 10*time.Minute)
}

func TestSystemMadeInABubbleWorksOutside(t *testing.T) {
	var s *clock.System
	synctest.Test(t, func(*testing.T) {
		s = clock.NewSystem(clock.Options{})
		s.Read()
	})
	require.WithinDuration(t, time.Now(), s.Read().Wall, 10*time.Minute)
}

func TestSystemSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := clock.NewSystem(clock.Options{})
		r := s.Read()
		time.Sleep(time.Second)
		require.NoError(t, s.Sleep(context.Background(), r, 3*time.Second))
		require.Equal(t, 3*time.Second, s.Monotonic()-r.Monotonic, "counted from the reading")

		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		require.ErrorIs(t, s.Sleep(ctx, s.Read(), time.Hour), context.DeadlineExceeded)
	})
}

func TestReadDoesNotAllocate(t *testing.T) {
	s := clock.NewSystem(clock.Options{})
	require.Zero(t, testing.AllocsPerRun(100, func() { s.Read() }))
	require.Zero(t, testing.AllocsPerRun(100, func() { s.Monotonic() }))
}
