package clockchaos

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "clock")
	w, err := NewWall(path)
	require.NoError(t, err)
	read, err := readWall(path)
	require.NoError(t, err)
	shows := func(by time.Duration) {
		t.Helper()
		before := time.Now().Truncate(time.Microsecond)
		require.WithinRange(t, read().Add(-by), before, time.Now())
	}
	shows(0)
	for _, by := range []time.Duration{3 * time.Hour, -3 * time.Hour, time.Millisecond, -time.Microsecond} {
		require.NoError(t, w.Set(by))
		shows(by)
		require.NoError(t, w.Freeze())
		stands := read()
		require.WithinRange(t, stands.Add(-by), time.Now().Add(-time.Minute), time.Now())
		require.Equal(t, stands, read())
		require.NoError(t, w.Thaw())
		shows(by)
	}
	_, err = readWall(filepath.Join(t.TempDir(), "none"))
	require.Error(t, err)
}
