package clockchaos

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/fence"
)

// A process is frozen for longer than its lease lasts, and another one gets the
// number; thawed, the first finds that out. Its late ids and the other's are
// distinct, and of different times. It waits for a number then, and has it when
// the other has ended.
func TestLeaseFrozenBeyondItsTime(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"file", "redis", "etcd", "sqlite"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			task := Task{
				Store: storeOf(t, kind), Early: sequences, Goroutines: 2, Rate: 5000,
				Lease: &Lease{First: 10, Last: 10, TTL: 3 * time.Second},
				Fence: Fence{Window: 500 * time.Millisecond, Cap: farCap, Start: fence.BeginAtBound},
			}
			s := newScene(t, []Task{task, task}, nil)
			s.startAt(0)
			s.until(0, func(p Progress) bool { return p.IDs > 1000 })
			require.NoError(t, s.fleet.Start(1))
			s.until(1, func(p Progress) bool { return p.Errors[errNoNode] > 0 || p.IDs > 0 })
			s.freezeUntil(0, 2*task.Lease.TTL, func() bool { return s.fleet.Told(1).IDs > 1000 })
			s.until(0, func(p Progress) bool { return p.Errors[errLost] > 0 && p.Errors[errNoNode] > 0 })
			s.fleet.End(1)
			s.until(0, func(p Progress) bool { return p.Holders > 1 })
			had := s.fleet.Tally().Progress.IDs
			s.until(0, func(Progress) bool { return s.fleet.Tally().Progress.IDs > had+1000 })
			s.fleet.EndAll()
			require.Empty(t, s.fleet.Tally().Progress.Unexpected)
			v := s.check()
			require.Zero(t, v.Repeated+v.Falls+v.Outside+v.Overlaps, v.lines())
			require.GreaterOrEqual(t, v.Nodes()[10].Holders, 3)
		})
	}
}

// freezeUntil freezes a worker until what shall happen meanwhile has, which is to
// take no longer than d. If it takes longer, the worker was frozen while it had the
// lock of its store, which nobody else gets then: it is frozen at another moment.
func (s *scene) freezeUntil(worker int, d time.Duration, done func() bool) {
	s.t.Helper()
	for end := time.Now().Add(patience); !done(); {
		require.True(s.t, time.Now().Before(end))
		require.NoError(s.t, s.fleet.Freeze(worker))
		for again := time.Now().Add(d); !done() && time.Now().Before(again); {
			time.Sleep(10 * time.Millisecond)
		}
		require.NoError(s.t, s.fleet.Thaw(worker))
		if !done() {
			time.Sleep(time.Duration(rand.IntN(100)) * time.Millisecond)
		}
	}
}

// Processes of different names keep their numbers, in whatever order they start
// again.
func TestNamedLeases(t *testing.T) {
	t.Parallel()
	store := storeOf(t, "file")
	names := []string{"shop-0", "shop-3", "shop-5"} // which are looked for from one number on
	tasks := make([]Task, len(names))
	for i, name := range names {
		tasks[i] = Task{
			Store: store, Early: sequences, Lease: &Lease{Name: name, First: 10, Last: 12, TTL: patience},
			Fence: Fence{Window: 500 * time.Millisecond, Cap: farCap, Start: fence.BeginAtBound},
		}
	}
	s := newScene(t, tasks, nil)
	for _, order := range [][]int{{0, 1, 2}, {2, 0, 1}, {1, 2, 0}} {
		for _, i := range order {
			require.NoError(t, s.fleet.Start(i))
			s.until(i, func(p Progress) bool { return p.IDs > 100 })
		}
		s.fleet.EndAll()
	}
	v := s.check()
	require.Zero(t, v.Repeated+v.Falls+v.Outside+v.Overlaps, v.lines())
	had := map[int]uint64{}
	for _, h := range v.Holders {
		if node, ok := had[h.Process]; ok {
			require.Equal(t, node, h.Node, h)
		}
		had[h.Process] = h.Node
	}
	require.Len(t, v.Nodes(), len(names))
	require.Len(t, v.Holders, 3*len(names))
}
