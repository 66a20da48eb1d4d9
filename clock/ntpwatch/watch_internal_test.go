package ntpwatch

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestJittered(t *testing.T) {
	for range 1000 {
		d := jittered(time.Hour)
		require.GreaterOrEqual(t, d, 54*time.Minute)
		require.LessOrEqual(t, d, 66*time.Minute)
	}
	require.NotEqual(t, jittered(time.Hour), jittered(time.Hour))
	require.Positive(t, jittered(1))
	require.Positive(t, jittered(farthest))
}
