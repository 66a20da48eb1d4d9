package clock_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
)

// A process that is put aside while it reads the wall clock doesn't end up with
// a reference time beyond every time that was read.
func TestReferenceIsNotAheadAfterASlowLookAtTheWallClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var pause time.Duration
		s := clock.NewSystem(clock.Options{Wall: func() time.Time {
			time.Sleep(pause)
			return time.Now()
		}})
		s.Read()
		pause = 30 * time.Minute
		begin := s.Monotonic()
		r := s.Read()
		require.Equal(t, time.Now().UTC(), r.Wall)
		require.Equal(t, begin, r.Monotonic, "what is reckoned from the reading ends early rather than late")
		pause = 0
		r = s.Read()
		require.Equal(t, time.Now().UTC(), r.Wall)
		require.Equal(t, r.Wall, r.Reference)
		require.Equal(t, clock.NoStep, r.Step.Kind)
	})
}
