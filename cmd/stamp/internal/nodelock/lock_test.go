package nodelock_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/cmd/stamp/internal/nodelock"
)

var start = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

// manual is a folder with a clock that stands still, and what it reported.
type manual struct {
	nodelock.Folder
	clock  *clock.Manual
	waits  chan string
	folder string
}

func newManual(t *testing.T) *manual {
	m := &manual{clock: clock.NewManual(start), waits: make(chan string, 16), folder: t.TempDir()}
	m.Folder = nodelock.Folder{
		Path: m.folder, Format: testFormat(), Clock: m.clock,
		Report: func(message string) { m.waits <- message },
	}
	return m
}

// units is the clock's time.
func (m *manual) units() uint64 { return uint64(m.Format.Timescale.Units(m.clock.Read().Wall)) }

// crash makes the node look like one whose process was killed after it covered
// the present.
func (m *manual) crash(t *testing.T, node uint64) (covered uint64) {
	lock, err := m.Take(t.Context(), node)
	require.NoError(t, err)
	covered = m.units()
	require.NoError(t, lock.Cover(covered))
	file := m.file(node, ".bound")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	go m.clock.Advance(time.Minute)
	require.NoError(t, lock.Close(t.Context()))
	m.clock.Step(start.Sub(m.clock.Read().Wall))
	require.NoError(t, os.WriteFile(file, text, 0o600))
	return covered
}

func (m *manual) file(node uint64, ending string) string {
	return filepath.Join(m.folder, "node-"+string(rune('0'+node))+ending)
}

func TestCoverIsDurableBeforeItReturns(t *testing.T) {
	m := newManual(t)
	lock, err := m.Take(t.Context(), 3)
	require.NoError(t, err)
	require.EqualValues(t, 3, lock.Node())
	require.Zero(t, lock.Floor())
	for range 10 {
		now := m.units()
		require.NoError(t, lock.Cover(now))
		require.Greater(t, bound(t, m.file(3, ".bound")), now)
		m.clock.Advance(333 * time.Millisecond)
	}
	ahead := m.units() + 1_000_000
	require.NoError(t, lock.Cover(ahead), "the times of ids count, not the clock")
	require.Greater(t, bound(t, m.file(3, ".bound")), ahead)
}

func TestCloseLowersTheBoundAndWaitsForTheClock(t *testing.T) {
	m := newManual(t)
	lock, err := m.Take(t.Context(), 0)
	require.NoError(t, err)
	last := m.units()
	require.NoError(t, lock.Cover(last))
	require.Greater(t, bound(t, m.file(0, ".bound")), last+1)

	done := make(chan error)
	go func() { done <- lock.Close(context.Background()) }()
	select {
	case err := <-done:
		t.Fatalf("Close returned %v while the clock stood at the last id", err)
	case <-time.After(50 * time.Millisecond):
	}
	_, err = m.Take(t.Context(), 0)
	require.ErrorIs(t, err, nodelock.ErrHeld, "the node is held while it waits")
	m.clock.Advance(time.Millisecond)
	require.NoError(t, <-done)
	require.Equal(t, last+1, bound(t, m.file(0, ".bound")))

	lock, err = m.Take(t.Context(), 0)
	require.NoError(t, err, "at once: the clock has passed the bound")
	require.Equal(t, last+1, lock.Floor())
	require.NoError(t, lock.Close(t.Context()), "nothing was covered")
	require.Equal(t, last+1, bound(t, m.file(0, ".bound")))
}

func TestCloseDoesNotWaitForAClockSetBackFar(t *testing.T) {
	m := newManual(t)
	lock, err := m.Take(t.Context(), 0)
	require.NoError(t, err)
	last := m.units()
	require.NoError(t, lock.Cover(last))
	m.clock.Step(-time.Hour)
	require.NoError(t, lock.Close(t.Context()))
	require.Contains(t, <-m.waits, "node 0 can't be used again before 2026-08-01T12:00:00.001Z; the clock says 2026-08-01T11:00:00Z")
	require.Equal(t, last+1, bound(t, m.file(0, ".bound")))
}

func TestTakeWaitsForANearBound(t *testing.T) {
	m := newManual(t)
	covered := m.crash(t, 0)
	type result struct {
		lock *nodelock.Lock
		err  error
	}
	taken := make(chan result)
	go func() {
		lock, err := m.Take(context.Background(), 0)
		taken <- result{lock, err}
	}()
	require.Contains(t, <-m.waits, "waiting 1.001s: node 0 may have made ids up to then")
	m.clock.Advance(time.Second)
	select {
	case r := <-taken:
		t.Fatalf("Take returned %v below the bound", r.err)
	case <-time.After(50 * time.Millisecond):
	}
	m.clock.Advance(time.Millisecond)
	r := <-taken
	require.NoError(t, r.err)
	require.Greater(t, r.lock.Floor(), covered)
}

func TestAWaitEndsWithItsContext(t *testing.T) {
	m := newManual(t)
	m.crash(t, 0)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := m.Take(ctx, 0)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	m.clock.Advance(time.Minute)
	lock, err := m.Take(t.Context(), 0)
	require.NoError(t, err, "the lock was released")
	require.NoError(t, lock.Close(t.Context()))
}

func TestAClockFarBehindTheBound(t *testing.T) {
	m := newManual(t)
	m.crash(t, 0)
	m.clock.Step(-time.Hour)

	_, err := m.Take(t.Context(), 0)
	var ahead *nodelock.AheadError
	require.ErrorAs(t, err, &ahead)
	require.Equal(t, start.Add(1001*time.Millisecond), ahead.Bound)
	require.Equal(t, start.Add(-time.Hour), ahead.Clock)
	require.Contains(t, err.Error(), "2026-08-01T12:00:01.001Z")
	require.Contains(t, err.Error(), "2026-08-01T11:00:00Z")
	require.Contains(t, err.Error(), m.file(0, ".bound"))

	lock, err := m.TakeFree(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, lock.Node(), "passed over")

	for node := uint64(2); node < 4; node++ {
		_, err := m.Take(t.Context(), node)
		require.NoError(t, err)
	}
	_, err = m.TakeFree(t.Context())
	require.Equal(t, &nodelock.NoFreeError{Folder: m.folder, Held: 3, Ahead: 1}, err)
	require.ErrorIs(t, err, nodelock.ErrNoFree)
}

func TestALockFileThatVanished(t *testing.T) {
	for name, remove := range map[string]func(file string) error{
		"removed":  os.Remove,
		"replaced": func(file string) error { return os.Rename(write(t, file+".other", ""), file) },
	} {
		t.Run(name, func(t *testing.T) {
			m := newManual(t)
			lock, err := m.Take(t.Context(), 0)
			require.NoError(t, err)
			require.NoError(t, lock.Cover(m.units()))
			require.NoError(t, remove(m.file(0, ".lock")))
			m.clock.Advance(2 * time.Second)
			require.ErrorIs(t, lock.Cover(m.units()), nodelock.ErrLost)
		})
	}
}

func TestTheLayoutsEndIsTheHighestBound(t *testing.T) {
	m := newManual(t)
	lock, err := m.Take(t.Context(), 0)
	require.NoError(t, err)
	last := m.Format.Layout.MaxTime()
	require.NoError(t, lock.Cover(last))
	require.Equal(t, last+1, bound(t, m.file(0, ".bound")))
	require.True(t, strings.HasPrefix(m.file(0, ".bound"), m.folder))
}
