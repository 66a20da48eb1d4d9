package clockchaos

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/fleet"
	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
	"github.com/stampid/go-stamp/sequence/fence"
)

// touched is how many sequences the scenario uses.
const touched = 3

// burst is how many ids of a sequence take generation 30 s ahead of the clock.
const burst = 30_000 << 8

// scene is one process, or several, with clocks that a test sets.
type scene struct {
	t     *testing.T
	logs  string
	walls []*Wall
	fleet *fleet.Fleet[Progress]
}

// newScene starts workers. Change is called with the task of each start.
func newScene(t *testing.T, tasks []Task, change func(*Task)) *scene {
	t.Helper()
	s := &scene{t: t, logs: t.TempDir()}
	for i := range tasks {
		task := &tasks[i]
		task.Clock = filepath.Join(t.TempDir(), "clock")
		task.Folder, task.Goroutines, task.Rate = s.logs, max(task.Goroutines, 1), max(task.Rate, 1000)
		wall, err := NewWall(task.Clock)
		require.NoError(t, err)
		s.walls = append(s.walls, wall)
	}
	s.fleet = newFleet(tasks, change)
	t.Cleanup(s.fleet.KillAll)
	return s
}

// until waits until the worker says what it shall.
func (s *scene) until(worker int, said func(Progress) bool) {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return said(s.fleet.Told(worker)) }, patience, 10*time.Millisecond)
}

// startAt sets the clock and starts the first worker.
func (s *scene) startAt(by time.Duration) {
	s.t.Helper()
	require.NoError(s.t, s.walls[0].Set(by))
	require.NoError(s.t, s.fleet.Start(0))
}

func (s *scene) check() Verdict {
	s.t.Helper()
	v, err := Check(s.logs)
	require.NoError(s.t, err)
	return v
}

// scenario is the burst that a process is killed after.
type scenario struct {
	store string // "": without a fence
	// late lets the restarted process begin with one sequence, and touch the others
	// after a while.
	late bool
}

// run lets a process drive the time of its sequences 30 s ahead, sets its clock on
// by an hour, lets it do that again, and kills it. The clock is then set back by
// that hour and the time that it took, and the process started again at once: in
// the middle of the times that the first burst went through.
func (c scenario) run(t *testing.T) Verdict {
	t.Helper()
	s := newScene(t, []Task{{
		Node: 1, Store: c.store, Early: touched, Late: time.Hour, Burst: burst, Rate: 10_000,
		Fence: Fence{Window: 40 * time.Second, Cap: farCap, Start: fence.BeginAtBound},
	}}, func(task *Task) {
		if task.Run == 2 {
			task.Burst = 0
			if c.late {
				task.Early, task.Late = 1, 500*time.Millisecond
			}
		}
	})
	const hour = time.Hour - time.Second // which a clock follows at once
	s.startAt(-hour)
	s.until(0, func(p Progress) bool { return p.Burst })
	driven := time.Now() // each sequence is ahead of this
	s.fleet.Kill(0)
	s.startAt(0)
	s.until(0, func(p Progress) bool { return p.Burst })
	before := s.check()
	require.GreaterOrEqual(t, before.IDs, int64(2*touched*burst))
	require.Zero(t, before.Repeated, before.lines())

	s.fleet.Kill(0)
	s.startAt(-hour - time.Since(driven))
	s.until(0, func(p Progress) bool { return p.IDs > 10_000 })
	s.fleet.Kill(0)
	require.Empty(t, s.fleet.Tally().Progress.Unexpected)
	return s.check()
}

// A burst 30 s ahead, kill -9, and a start with the clock an hour back: no id
// twice, neither of sequences that are used at once nor of those that are first
// touched later.
func TestBurstKillAndClockBack(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"file", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			v := scenario{store: storeOf(t, kind)}.run(t)
			requireSound(t, v)
		})
	}
}

func TestBurstKillAndClockBackTouchedLate(t *testing.T) {
	t.Parallel()
	requireSound(t, scenario{store: storeOf(t, "file"), late: true}.run(t))
}

// The test of the test: without a fence the same makes duplicates, of both.
func TestFindsDuplicatesWithoutAFence(t *testing.T) {
	t.Parallel()
	v := scenario{}.run(t)
	requireFound(t, v)
	require.NotContains(t, v.RepeatedIn[:touched], int64(0), "sequences without a duplicate")
}

func TestFindsDuplicatesWithoutAFenceTouchedLate(t *testing.T) {
	t.Parallel()
	v := scenario{late: true}.run(t)
	requireFound(t, v)
	require.NotContains(t, v.RepeatedIn[:touched], int64(0), "sequences without a duplicate")
}

// Two processes without a fence repeat each other's ids at once.
func TestFindsDuplicatesOfTwoProcesses(t *testing.T) {
	t.Parallel()
	s := newScene(t, []Task{{Node: 1, Early: sequences, Rate: 5000}, {Node: 1, Early: sequences, Rate: 5000}}, nil)
	require.NoError(t, s.fleet.StartAll())
	for i := range s.walls {
		s.until(i, func(p Progress) bool { return p.IDs > 10_000 })
	}
	s.fleet.KillAll()
	requireFound(t, s.check())
}

// Processes on the copy of a folder make no ids.
func TestCopiedFolder(t *testing.T) {
	t.Parallel()
	store := storeOf(t, "file")
	s := newScene(t, []Task{{Node: 1, Store: store, Early: sequences}}, func(task *Task) {
		if task.Run == 1 {
			copied, err := copyFolder(store[len("file://"):], t.TempDir())
			require.NoError(t, err)
			task.Store = "file://" + copied
		}
	})
	s.startAt(0)
	s.until(0, func(p Progress) bool { return p.IDs > 100 })
	s.fleet.Kill(0)
	before := s.check().IDs
	s.startAt(time.Hour)
	s.until(0, func(p Progress) bool { return p.Errors[errCopied] > 10 })
	s.fleet.EndAll()
	require.Equal(t, before, s.check().IDs)
	require.ErrorContains(t, Report{Tally: s.fleet.Tally()}.Err(), "the folder is a copy")
}

// storeOf starts a store of a kind and returns its URL.
func storeOf(t *testing.T, kind string) string {
	t.Helper()
	server, err := servers.Start(t.Context(), kind, servers.Options{Folder: t.TempDir()})
	if errors.Is(err, servers.ErrMissing) {
		skip(t, err.Error())
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	return server.URL()
}

func requireSound(t *testing.T, v Verdict) {
	t.Helper()
	require.Zero(t, v.Repeated+v.Falls+v.Outside+v.Overlaps, v.lines())
	require.Len(t, v.Holders, 3)
}

// requireFound requires that duplicates were found, and the holders that made them.
func requireFound(t *testing.T, v Verdict) {
	t.Helper()
	t.Logf("%d of %d ids were made again", v.Repeated, v.IDs)
	require.Positive(t, v.Repeated)
	require.NotEmpty(t, v.Duplicates)
	require.Positive(t, v.Overlaps)
	err := Report{Verdict: v}.Err()
	require.ErrorContains(t, err, "ids were made again")
	require.ErrorContains(t, err, "two holders met")
}
