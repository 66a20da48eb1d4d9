package chaos

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
)

// A backup is restored while programs run. With an audit in another store all of
// them stop, and so do those that are started after it, until an operator has
// raised the counter. Then they go on, and no number was given out twice.
func testRestored(t *testing.T, s *scene) {
	s.work(func(task *Task) { task.Audit = s.auditURL })
	s.awaitCounter(s.counter() + 1)
	backup, at := s.backup()
	s.awaitCounter(at + sceneFar)
	s.restore(backup)
	s.awaitStopped()

	s.restart()
	s.awaitStopped()
	require.Zero(t, s.check().Repeated)
	mark, err := s.audit.Peek(t.Context(), counter)
	require.NoError(t, err)
	require.Less(t, s.counter(), mark)

	r, err := segment.PlanRecovery(t.Context(), s.store, counter, segment.RecoverOptions{
		Instances: sceneWorkers, Step: sceneStep, PrefetchDistance: sceneDistance, Audit: segment.NewAudit(s.audit),
	})
	require.NoError(t, err)
	raised, err := r.Apply(t.Context(), s.store)
	require.NoError(t, err)
	require.Equal(t, mark+sceneWorkers*sceneStep*sceneDistance, raised)
	s.restart()
	s.awaitCounter(raised + sceneFar)
	require.Zero(t, s.stopped())
	s.fleet.EndAll()
	v := s.check()
	require.Zero(t, v.Repeated, v.Duplicates)
	require.Zero(t, v.Falls, v.Disorder)
	require.Greater(t, v.Highest, raised)
	require.Empty(t, s.fleet.Tally().Progress.Unexpected)
}

// The test of the test: without an audit, programs that run stop all the same,
// but what is started after it repeats numbers, and the check finds them.
func testRestoredWithoutAudit(t *testing.T, s *scene) {
	s.work(nil)
	s.awaitCounter(s.counter() + 1)
	backup, at := s.backup()
	s.awaitCounter(at + sceneFar)
	s.restore(backup)
	s.awaitStopped()
	require.Zero(t, s.check().Repeated)

	at = s.counter()
	s.restart()
	s.awaitCounter(at + sceneFar/2)
	s.fleet.EndAll()
	requireFound(t, s)
}

// Generators that go on after a rollback, as those of a library that doesn't
// look, repeat numbers at once.
func TestFindsDuplicatesWithoutTheGuard(t *testing.T) {
	for _, kind := range []string{"sqlite", "mongodb", "zookeeper"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, startServer(t, kind))
			s.work(func(task *Task) { task.Unguarded = true })
			s.awaitCounter(s.counter() + 1)
			backup, at := s.backup()
			s.awaitCounter(at + sceneFar)
			s.restore(backup)
			s.awaitCounter(s.counter() + sceneFar)
			s.fleet.EndAll()
			requireFound(t, s)
		})
	}
}

// A server that doesn't write to the disk forgets all when it is killed.
func TestFindsDuplicatesOfAServerThatForgets(t *testing.T) {
	t.Parallel()
	s := newScene(t, startServer(t, "redis", "--appendonly", "no"))
	s.work(nil)
	s.awaitCounter(sceneFar)
	s.server.Kill()
	require.NoError(t, s.server.Start(t.Context()))
	s.awaitStopped()
	require.Zero(t, s.check().Repeated)
	s.restart()
	s.awaitCounter(sceneFar / 2)
	s.fleet.EndAll()
	requireFound(t, s)
}

// requireFound requires that duplicates were found, with both of their origins.
func requireFound(t *testing.T, s *scene) {
	t.Helper()
	v := s.check()
	t.Logf("%d of %d numbers were given out again", v.Repeated, v.Numbers)
	require.Positive(t, v.Repeated)
	require.NotEmpty(t, v.Duplicates)
	for _, d := range v.Duplicates {
		require.GreaterOrEqual(t, len(d.Given), 2)
	}
	require.ErrorContains(t, Report{Verdict: v, Counter: v.Highest}.Err(), "given out again")
}
