package server

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestThrottle(t *testing.T) {
	throttle := &throttle{every: time.Second}
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, event := range []struct {
		after time.Duration
		held  int64
		ok    bool
	}{
		{0, 0, true},
		{1, 0, false},
		{time.Second - 1, 0, false},
		{time.Second, 2, true},
		{time.Second + 1, 0, false},
		{5 * time.Second, 1, true},
		{6 * time.Second, 0, true},
	} {
		held, ok := throttle.pass(begin.Add(event.after))
		require.Equal(t, event.ok, ok, event.after)
		require.Equal(t, event.held, held, event.after)
	}
}
