package clockchaos

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A full disk takes nothing, a read-only one no change, and both do again after.
func TestDisk(t *testing.T) {
	folder := t.TempDir()
	d, err := mountDisk(folder)
	if err != nil {
		t.Skip("no disk that can be filled and made read-only: ", err)
	}
	t.Cleanup(func() { require.NoError(t, d.unmount()) })
	write := func() error { return os.WriteFile(filepath.Join(folder, "file"), make([]byte, 8192), 0o600) }
	require.NoError(t, write())
	for range 2 {
		release, err := d.Fill()
		require.NoError(t, err)
		require.NoError(t, write(), "what is there already has room")
		require.Error(t, os.WriteFile(filepath.Join(folder, "more"), make([]byte, 1), 0o600))
		require.NoError(t, release())
		require.NoError(t, write())

		release, err = d.Lock(t.Context())
		require.NoError(t, err)
		require.Error(t, write())
		require.NoError(t, release())
		require.NoError(t, write())
	}
}
