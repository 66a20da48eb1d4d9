package sequence

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/clock"
)

// A look between the two steps of a swap, which is noted but not made.
func TestClaimedDuringASwap(t *testing.T) {
	epoch := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	space, err := NewRegistry().Space(Settings{
		Layout:    bits.Layout{Time: 41, Node: 10, Sequence: 12},
		Timescale: bits.Timescale{Epoch: epoch, Unit: time.Millisecond},
		Clock:     clock.NewManual(epoch.Add(time.Hour)),
	})
	require.NoError(t, err)
	s, err := space.Sequence("orders", 0, 0)
	require.NoError(t, err)
	var c Caller
	for want := uint64(1); want <= 3; want++ {
		_, err = s.Next(t.Context(), &c)
		require.NoError(t, err)
		require.Equal(t, want, s.claimed())
	}
	for _, pending := range []uint64{1, 4096, 1 << 40} {
		s.skip(pending)
		require.EqualValues(t, 3, s.claimed(), "%d", pending)
		s.skip(-pending)
	}
	_, err = s.Next(t.Context(), &c)
	require.NoError(t, err)
	require.EqualValues(t, 4, s.claimed())
}
