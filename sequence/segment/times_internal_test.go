package segment

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTimesBelow(t *testing.T) {
	var times Times
	require.Zero(t, times.Below(time.Hour))
	for _, d := range []time.Duration{0, 1<<20 - 1, 1 << 20, 1<<22 - 1, 1 << 22, math.MaxInt64} {
		times.counted.add(d)
	}
	for d, want := range map[time.Duration]uint64{
		-1: 0, 0: 0, 1 << 10: 1, 1 << 20: 2, 1<<20 + 5: 2, 1 << 22: 4, 1 << 23: 5, math.MaxInt64: 5,
	} {
		require.Equal(t, want, times.Below(d), d)
	}
	require.EqualValues(t, 6, times.Count())
}
