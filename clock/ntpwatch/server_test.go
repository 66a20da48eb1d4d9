package ntpwatch

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Each RATE doubles the pause, up to the longest interval of NTP.
func TestRateIsHalvedToALimit(t *testing.T) {
	for _, interval := range []time.Duration{1, time.Minute, farthest} {
		s := new(server)
		for pause := interval; pause < maxPause; pause *= 2 {
			s.asked(&KissError{Code: kissRate}, interval)
			require.Equal(t, min(2*pause, maxPause), s.pause)
		}
		s.asked(&KissError{Code: kissRate}, math.MaxInt64)
		require.Equal(t, maxPause, s.pause)
	}
}
