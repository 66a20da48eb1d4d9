package clock_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
)

var start = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

func TestReadingOfAnAdvancedClock(t *testing.T) {
	m := clock.NewManual(start)
	m.Read()
	m.Advance(90 * time.Minute)
	r := m.Read()
	require.Equal(t, start.Add(90*time.Minute), r.Wall)
	require.Equal(t, r.Wall, r.Reference)
	require.Equal(t, 90*time.Minute, r.Monotonic)
	require.Equal(t, clock.NoStep, r.Step.Kind)

	m.Advance(-time.Hour)
	require.Equal(t, r.Wall, m.Read().Wall, "a negative advance is ignored")
}

func TestStepBackIsFollowedAndReferenceGoesOn(t *testing.T) {
	m := clock.NewManual(start)
	m.Read()
	m.Step(-time.Hour)
	r := m.Read()
	require.Equal(t, start.Add(-time.Hour), r.Wall)
	require.Equal(t, start, r.Reference)
	require.Equal(t, clock.Step{Kind: clock.StepBack, By: -time.Hour, From: start, To: start.Add(-time.Hour)}, r.Step)

	m.Advance(time.Minute)
	r = m.Read()
	require.Equal(t, start.Add(-59*time.Minute), r.Wall)
	require.Equal(t, start.Add(time.Minute), r.Reference, "the monotonic clock moves the reference time on")
	require.Equal(t, clock.NoStep, r.Step.Kind, "a step is noticed once")
}

func TestSmallStepBackIsFollowedUnreported(t *testing.T) {
	m := clock.NewManual(start)
	m.Read()
	m.Step(-999 * time.Millisecond)
	r := m.Read()
	require.Equal(t, start.Add(-999*time.Millisecond), r.Wall)
	require.Equal(t, clock.NoStep, r.Step.Kind)
}

func TestStepForwardUpToMaxStepIsFollowed(t *testing.T) {
	m := clock.NewManual(start)
	m.Read()
	m.Step(clock.DefaultMaxStep)
	r := m.Read()
	require.Equal(t, start.Add(time.Hour), r.Wall)
	require.Equal(t, r.Wall, r.Reference)
	require.Equal(t, clock.NoStep, r.Step.Kind)
}

func TestLongStepForwardIsHeldUntilConfirmed(t *testing.T) {
	m := clock.NewManual(start)
	m.Read()
	const jump = 10 * 365 * 24 * time.Hour
	m.Step(jump)

	r := m.Read()
	require.Equal(t, start, r.Wall)
	require.Equal(t, start, r.Reference)
	require.Equal(t, clock.Step{Kind: clock.StepHeld, By: jump, From: start, To: start.Add(jump)}, r.Step)

	m.Advance(clock.DefaultStepConfirm - time.Nanosecond)
	r = m.Read()
	require.Equal(t, start.Add(clock.DefaultStepConfirm-time.Nanosecond), r.Wall, "a held clock goes on at the old pace")
	require.Equal(t, clock.NoStep, r.Step.Kind)

	m.Advance(time.Nanosecond)
	r = m.Read()
	require.Equal(t, clock.StepFollowed, r.Step.Kind)
	require.Equal(t, start.Add(jump+clock.DefaultStepConfirm), r.Wall)
	require.Equal(t, r.Wall, r.Reference)
}

func TestOneSecondOfAWrongYearLeavesNothing(t *testing.T) {
	m := clock.NewManual(start)
	m.Read()
	const jump = 10 * 365 * 24 * time.Hour
	m.Step(jump)
	m.Read()
	m.Advance(time.Second)
	m.Read()
	m.Step(-jump)
	r := m.Read()
	require.Equal(t, start.Add(time.Second), r.Wall)
	require.Equal(t, start.Add(time.Second), r.Reference)

	// The next wrong second starts its confirmation anew.
	m.Advance(time.Minute)
	m.Step(jump)
	require.Equal(t, clock.StepHeld, m.Read().Step.Kind)
}

func TestAnotherStepStartsItsConfirmationAnew(t *testing.T) {
	m := clock.NewManual(start)
	m.Read()
	m.Step(24 * time.Hour)
	require.Equal(t, clock.StepHeld, m.Read().Step.Kind)
	m.Advance(9 * time.Second)
	m.Step(24 * time.Hour)
	require.Equal(t, clock.StepHeld, m.Read().Step.Kind)
	m.Advance(9 * time.Second)
	require.Equal(t, start.Add(18*time.Second), m.Read().Wall)
	m.Advance(time.Second)
	require.Equal(t, clock.StepFollowed, m.Read().Step.Kind)
}

// A wall clock that fell back and returns is no step beyond the reference.
func TestReturnToTheReferenceIsFollowedAtOnce(t *testing.T) {
	m := clock.NewManual(start)
	m.Read()
	m.Step(-48 * time.Hour)
	m.Read()
	m.Step(48 * time.Hour)
	r := m.Read()
	require.Equal(t, start, r.Wall)
	require.Equal(t, clock.NoStep, r.Step.Kind)
}

func TestStepsBeyondTheRangeAreCut(t *testing.T) {
	m := clock.NewManual(start)
	m.Read()
	m.Set(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC))
	m.Read()
	m.Set(time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC))
	require.Equal(t, clock.StepHeld, m.Read().Step.Kind)
	m.Advance(clock.DefaultStepConfirm)
	r := m.Read()
	require.Equal(t, clock.StepFollowed, r.Step.Kind)
	require.Equal(t, 2172, r.Wall.Year(), "146 years is as far as one clock sees")

	far := clock.NewManual(start)
	far.Read()
	far.Advance(200 * 365 * 24 * time.Hour)
	require.Equal(t, start.Add(200*365*24*time.Hour), far.Read().Wall, "time that passes isn't cut")
}

func TestAStepIsNoticedByOneReader(t *testing.T) {
	m := clock.NewManual(start)
	m.Read()
	for _, step := range []struct {
		by   time.Duration
		kind clock.StepKind
	}{{-time.Hour, clock.StepBack}, {100 * time.Hour, clock.StepHeld}} {
		m.Step(step.by)
		var wg sync.WaitGroup
		noticed := make(chan clock.StepKind, 8)
		for range 8 {
			wg.Go(func() {
				if r := m.Read(); r.Step.Kind != clock.NoStep {
					noticed <- r.Step.Kind
				}
			})
		}
		wg.Wait()
		close(noticed)
		require.Len(t, noticed, 1)
		require.Equal(t, step.kind, <-noticed)
	}
}

func TestManualSleepMissesNoMove(t *testing.T) {
	m := clock.NewManual(start)
	r := m.Read()
	m.Advance(time.Millisecond)
	require.NoError(t, m.Sleep(context.Background(), r, time.Hour), "the clock was moved since the reading")

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, m.Sleep(ctx, m.Read(), time.Hour), context.Canceled)
}
