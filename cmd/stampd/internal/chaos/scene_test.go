package chaos

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/fleet"
	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

func TestMain(m *testing.M) {
	RunChild()
	// They wait most of the time, for servers and for what was broken.
	if err := flag.Set("test.parallel", "3"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// patience is how long a slow machine may take for what takes a moment.
const patience = time.Minute

// TestStores does to a store of each kind what can happen to it, one thing after
// the other, since a server takes a while to be made.
func TestStores(t *testing.T) {
	for _, kind := range servers.Kinds() {
		t.Run(kind.Name, func(t *testing.T) {
			t.Parallel()
			server := startServer(t, kind.Name)
			for _, test := range []struct {
				name string
				run  func(t *testing.T, s *scene)
			}{
				{"outage", testOutage},
				{"hung", testHung},
				{"run", testRun},
				{"restored, with audit", testRestored},
				{"restored, without", testRestoredWithoutAudit},
			} {
				t.Run(test.name, func(t *testing.T) { test.run(t, newScene(t, server)) })
			}
		})
	}
}

func startServer(t *testing.T, kind string, args ...string) *servers.Server {
	t.Helper()
	server, err := servers.Start(t.Context(), kind, servers.Options{Folder: t.TempDir(), Args: args})
	if errors.Is(err, servers.ErrMissing) {
		skip(t, err.Error())
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	return server
}

// skip skips a test, except where all that tests need has been installed.
func skip(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		require.FailNow(t, what)
	}
	t.Skip(what)
}

// The settings of the workers of a scene.
const (
	sceneWorkers  = 3
	sceneStep     = 20
	sceneDistance = 4
	// sceneFar is so much that each worker has fetched several times meanwhile.
	sceneFar = 100 * sceneStep * sceneDistance
)

// scene is a store with workers that a test does something to.
type scene struct {
	t        *testing.T
	server   *servers.Server
	store    *stores.Store
	audit    *stores.Store // a second store
	auditURL string
	logs     string
	fleet    *fleet.Fleet[Progress]
}

func newScene(t *testing.T, server *servers.Server) *scene {
	t.Helper()
	s := &scene{t: t, server: server}
	s.store = s.open(server.URL())
	s.auditURL = "file://" + filepath.ToSlash(t.TempDir())
	s.audit = s.open(s.auditURL)
	return s
}

func (s *scene) open(url string) *stores.Store {
	s.t.Helper()
	opened, err := stores.Open(s.t.Context(), url, stores.Options{})
	require.NoError(s.t, err)
	s.t.Cleanup(func() { require.NoError(s.t, opened.Close()) })
	return opened
}

// work starts workers with logs of their own. Change may be nil.
func (s *scene) work(change func(*Task)) {
	s.t.Helper()
	s.logs = s.t.TempDir()
	tasks := make([]Task, sceneWorkers)
	for i := range tasks {
		tasks[i] = Task{
			Goroutines: 2, Store: s.server.URL(), Folder: s.logs, Seed: uint64(i), Rate: 2000,
			Generator: Generator{
				Mode: segment.Mode(1 + i%3), Step: sceneStep, MaxPrefetchDistance: sceneDistance,
				BackoffMin: 10 * time.Millisecond, Backoff: 200 * time.Millisecond,
			},
		}
		if change != nil {
			change(&tasks[i])
		}
	}
	s.fleet = newFleet(tasks)
	s.t.Cleanup(s.fleet.KillAll)
	require.NoError(s.t, s.fleet.StartAll())
}

// restart kills all workers and starts them again.
func (s *scene) restart() {
	s.t.Helper()
	s.fleet.KillAll()
	require.NoError(s.t, s.fleet.StartAll())
}

// counter reads the counter, 0 if there is none.
func (s *scene) counter() int64 {
	at, err := s.store.Peek(s.t.Context(), counter)
	if err != nil {
		require.ErrorIs(s.t, err, store.ErrNoCounter)
	}
	return at
}

// awaitCounter waits until the counter stands so far, and returns where it does.
func (s *scene) awaitCounter(least int64) int64 {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return s.counter() >= least }, patience, 10*time.Millisecond)
	return s.counter()
}

// awaitStopped waits until all workers have found out that the store was rolled
// back.
func (s *scene) awaitStopped() {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return s.stopped() == sceneWorkers }, patience, 10*time.Millisecond)
}

// stopped counts the workers whose generator has stopped.
func (s *scene) stopped() (n int) {
	for _, p := range s.fleet.Running() {
		if p.RolledBack != "" {
			n++
		}
	}
	return n
}

func (s *scene) backup() (path string, at int64) {
	s.t.Helper()
	path = filepath.Join(s.t.TempDir(), "backup")
	require.NoError(s.t, s.server.Backup(s.t.Context(), path))
	return path, s.counter()
}

// restore puts the backup in the place of what the store holds. A store that
// doesn't let the workers in after that is brought forward by another client, one
// number at a time, until it does: the counter is far below theirs by then.
func (s *scene) restore(backup string) {
	s.t.Helper()
	require.NoError(s.t, s.server.Restore(s.t.Context(), backup))
	if !s.server.ShutsOut() {
		return
	}
	s.store = s.open(s.server.URL())
	at := s.counter()
	before := s.fleet.Tally()
	require.Eventually(s.t, func() bool { return s.fleet.Tally().Progress.Fetch >= before.Progress.Fetch+2*sceneWorkers }, patience, 10*time.Millisecond)
	require.Equal(s.t, at, s.counter(), "nobody was let in")
	require.Zero(s.t, s.stopped())
	require.Eventually(s.t, func() bool {
		_, err := s.store.Allocate(s.t.Context(), counter, 1)
		require.NoError(s.t, err)
		return s.stopped() > 0
	}, patience, time.Millisecond)
	require.Less(s.t, s.counter(), at+sceneFar/2)
}

func (s *scene) check() Verdict {
	s.t.Helper()
	v, err := Check(s.logs)
	require.NoError(s.t, err)
	return v
}
