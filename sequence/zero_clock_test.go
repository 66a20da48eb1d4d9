package sequence_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
)

// endless is a clock of which time.Since is at its largest, as it is for an
// anchor of the year 1.
type endless struct{ *clock.Manual }

func (endless) Monotonic() time.Duration { return 1<<63 - 1 }

// The first call of a sequence reads the clock, whatever its cheap side says:
// a process that doesn't would begin at the epoch, as the one before it did.
func TestTheFirstCallReadsTheClock(t *testing.T) {
	f := newFixture(t, layoutWith(12), func(s *sequence.Settings) { s.Clock = endless{s.Clock.(*clock.Manual)} })
	require.Zero(t, f.timeOf(f.next(f.sequence("orders", 0, 0))))
}

// The zero System has no anchor, so its monotonic clock stands still; the zero
// Manual can't be read.
func TestSettingsRefuseZeroClocks(t *testing.T) {
	for _, zero := range []clock.Clock{new(clock.System), new(clock.Manual)} {
		err := sequence.Settings{
			Layout:    layoutWith(12),
			Timescale: bits.Timescale{Epoch: epoch, Unit: time.Millisecond},
			Clock:     zero,
		}.Validate()
		require.ErrorIs(t, err, sequence.ErrSettings)
		require.ErrorContains(t, err, "clock.NewSystem")
	}
}

func TestZeroRegistryIsRefused(t *testing.T) {
	f := newFixture(t, layoutWith(12), nil)
	_, err := new(sequence.Registry).Space(f.space.Settings())
	require.ErrorIs(t, err, sequence.ErrSettings)
	require.ErrorContains(t, err, "NewRegistry")
}
