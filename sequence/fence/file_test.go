package fence_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
)

// fileProcess starts a process whose fence is in a folder. It begins at the
// bound, so that a restart needn't wait.
func fileProcess(t *testing.T, folder string, c clock.Clock, adopt bool) *process {
	t.Helper()
	p := &process{t: t, clock: c, reg: sequence.NewRegistry(), events: new(events)}
	f, err := fence.File(folder, fence.Options{
		Space: "orders", Start: fence.BeginAtBound, Adopt: adopt, Listener: p.events.listener(),
	})
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close(ended()) })
	p.attach(f, sequence.Settings{Layout: layout, Timescale: scale, Clock: c})
	return p
}

func TestFile(t *testing.T) {
	folder := t.TempDir()
	manual := clock.NewManual(start)
	last := fileProcess(t, folder, manual, false).next("orders") // and crashes
	p := fileProcess(t, folder, clock.NewManual(start), false)
	require.Equal(t, last+3000, p.next("users"))
	p.close()
	manual = clock.NewManual(start)
	require.Equal(t, last+3001, fileProcess(t, folder, manual, false).next("third"))
}

func TestFileRefusesAMissingFolder(t *testing.T) {
	_, err := fence.File(filepath.Join(t.TempDir(), "missing"), fence.Options{Space: "orders"})
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = fence.File(t.TempDir(), fence.Options{})
	require.ErrorIs(t, err, fence.ErrOptions)
}

func TestACopiedFolderIsRefused(t *testing.T) {
	original, folder := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	p := fileProcess(t, original, clock.NewManual(start), false)
	last := p.next("orders")
	p.close()
	require.NoError(t, os.CopyFS(folder, os.DirFS(original)))

	_, err := fileProcess(t, folder, clock.NewManual(start.Add(time.Hour)), false).try("orders")
	require.ErrorIs(t, err, fence.ErrCopied)
	require.ErrorContains(t, err, folder)
	require.ErrorContains(t, err, "set Adopt once")

	p = fileProcess(t, folder, clock.NewManual(start), true)
	require.Greater(t, p.next("orders"), last)
	p.close()
	fileProcess(t, folder, clock.NewManual(start.Add(time.Hour)), false).next("orders")
}

func TestALockFileThatWasReplaced(t *testing.T) {
	folder := t.TempDir()
	manual := clock.NewManual(start)
	p := fileProcess(t, folder, manual, false)
	p.next("orders")
	lock := filepath.Join(folder, "counters.lock")
	require.NoError(t, os.Rename(lock, lock+".old"))
	require.NoError(t, os.WriteFile(lock, nil, 0o600))

	manual.Advance(2 * time.Second) // the reserve
	p.next("orders")
	manual.Advance(2 * time.Second)
	_, err := p.try("orders")
	require.ErrorIs(t, err, fence.ErrCopied)
	_, err = fileProcess(t, folder, clock.NewManual(start.Add(time.Hour)), false).try("orders")
	require.ErrorIs(t, err, fence.ErrCopied)
}
