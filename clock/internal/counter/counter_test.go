package counter

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestReadRises(t *testing.T) {
	if !Exists {
		t.Skip("no counter in this build")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	first := Read()
	last := first
	for range 1000 {
		next := Read()
		if !Invariant() {
			continue
		}
		require.GreaterOrEqual(t, next, last)
		last = next
	}
	for end := time.Now().Add(time.Millisecond); time.Now().Before(end); {
	}
	require.Greater(t, Read(), first, "it stands still")
}

func TestNoCounter(t *testing.T) {
	if Exists {
		t.Skip("there is a counter in this build")
	}
	require.Zero(t, Read())
	require.False(t, Invariant())
}

func TestReadDoesNotAllocate(t *testing.T) {
	require.Zero(t, testing.AllocsPerRun(100, func() { Read() }))
}
