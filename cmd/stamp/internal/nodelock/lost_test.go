package nodelock_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stamp/internal/nodelock"
)

// Once the lock file was removed, another process may hold the node. What it
// recorded must not be lowered by the one that lost it.
func TestCloseOfALostLockLeavesTheRecordOfTheNextHolder(t *testing.T) {
	m := newManual(t)
	lost, err := m.Take(t.Context(), 0)
	require.NoError(t, err)
	require.NoError(t, lost.Cover(m.units()))
	require.NoError(t, os.Remove(m.file(0, ".lock")))

	m.clock.Advance(5 * time.Second)
	next, err := m.Take(t.Context(), 0)
	require.NoError(t, err)
	covered := m.units()
	require.NoError(t, next.Cover(covered))

	require.ErrorIs(t, lost.Close(t.Context()), nodelock.ErrLost)
	require.Greater(t, bound(t, m.file(0, ".bound")), covered)
}

// A link that leads nowhere, as into a volume that isn't there now, is no
// missing record.
func TestADanglingLinkIsNoFreshStart(t *testing.T) {
	m := newManual(t)
	require.NoError(t, os.Symlink(m.file(0, ".elsewhere"), m.file(0, ".bound")))
	_, err := m.Take(t.Context(), 0)
	require.ErrorIs(t, err, nodelock.ErrRecord)
}

// What stands in the place of the temporary file isn't written to: a pipe would
// hold the process up, and a link would lead elsewhere.
func TestTheTemporaryFileIsAlwaysNew(t *testing.T) {
	m := newManual(t)
	elsewhere := write(t, m.file(0, ".elsewhere"), "kept")
	require.NoError(t, os.Symlink(elsewhere, m.file(0, ".bound.new")))
	lock, err := m.Take(t.Context(), 0)
	require.NoError(t, err)
	covered := m.units()
	require.NoError(t, lock.Cover(covered))
	require.Greater(t, bound(t, m.file(0, ".bound")), covered)
	text, err := os.ReadFile(elsewhere)
	require.NoError(t, err)
	require.Equal(t, "kept", string(text))
}
