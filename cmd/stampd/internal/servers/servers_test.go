package servers_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
	"github.com/stampid/go-stamp/store"
)

var orders = store.Key{Namespace: "shop", Name: "orders"}

func TestMain(m *testing.M) {
	servers.RunChild()
	os.Exit(m.Run())
}

// each runs a test on a server of each kind.
func each(t *testing.T, test func(t *testing.T, s *servers.Server)) {
	for _, kind := range servers.Names() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			test(t, start(t, kind))
		})
	}
}

func start(t *testing.T, kind string) *servers.Server {
	t.Helper()
	k, err := servers.Find(kind)
	require.NoError(t, err)
	if missing := k.Missing(); len(missing) > 0 {
		if os.Getenv("CI") == "true" {
			require.FailNow(t, "not installed", "%s: %s", kind, strings.Join(missing, ", "))
		}
		t.Skipf("%s: not installed: %s", kind, strings.Join(missing, ", "))
	}
	s, err := servers.Start(t.Context(), kind, servers.Options{Folder: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func open(t *testing.T, s *servers.Server) *stores.Store {
	t.Helper()
	opened, err := stores.Open(t.Context(), s.URL(), stores.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, opened.Close()) })
	return opened
}

// What was acknowledged survives kills. What a backup doesn't hold is gone when
// it is restored, also for those who have the store open.
func TestKillAndRestore(t *testing.T) {
	each(t, func(t *testing.T, s *servers.Server) {
		ctx := t.Context()
		c := open(t, s)
		created, err := c.Create(ctx, orders, 0)
		require.NoError(t, err)
		require.True(t, created)
		_, err = c.Allocate(ctx, orders, 10)
		require.NoError(t, err)

		s.Kill()
		require.False(t, s.Up())
		if s.HasServer() {
			// The client of some stores waits for a server as long as it may.
			short, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			_, err = c.Allocate(short, orders, 10)
			require.Error(t, err)
		}
		require.NoError(t, s.Start(ctx))
		requireCounter(t, c, 10)

		backup := filepath.Join(t.TempDir(), "backup")
		require.NoError(t, s.Backup(ctx, backup))
		requireAllocate(t, c, 20)
		require.NoError(t, s.Restore(ctx, backup))
		if s.ShutsOut() {
			requireShutOut(t, c)
			c = open(t, s)
		}
		requireCounter(t, c, 10)
		requireAllocate(t, c, 20)
	})
}

// requireShutOut requires that a client isn't let in, also after it has tried
// several times.
func requireShutOut(t *testing.T, c store.Counters) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	for ctx.Err() == nil {
		_, err := c.Peek(ctx, orders)
		require.Error(t, err)
		require.NotErrorIs(t, err, store.ErrNoCounter)
	}
}

// requireCounter waits for the connections that the restart broke.
func requireCounter(t *testing.T, c store.Counters, want int64) {
	t.Helper()
	require.EventuallyWithT(t, func(collect *assert.CollectT) {
		maxID, err := c.Peek(context.Background(), orders)
		require.NoError(collect, err)
		require.Equal(collect, want, maxID)
	}, 10*time.Second, 10*time.Millisecond)
}

// requireAllocate allocates, again if that met a connection to a server that is
// gone: nothing was allocated then.
func requireAllocate(t *testing.T, c store.Counters, want int64) {
	t.Helper()
	require.EventuallyWithT(t, func(collect *assert.CollectT) {
		maxID, err := c.Allocate(context.Background(), orders, 10)
		require.NoError(collect, err)
		require.Equal(collect, want, maxID)
	}, 10*time.Second, 10*time.Millisecond)
}

// A frozen server doesn't answer; a lock that is held keeps others waiting.
func TestFreezeAndHold(t *testing.T) {
	each(t, func(t *testing.T, s *servers.Server) {
		c := open(t, s)
		_, err := c.Create(t.Context(), orders, 0)
		require.NoError(t, err)
		goOn := s.Thaw
		switch {
		case s.HasServer():
			require.NoError(t, s.Freeze())
		case s.CanHold():
			goOn, err = s.Hold(t.Context())
			require.NoError(t, err)
		default:
			t.Skip("has neither server nor lock")
		}
		// All threads of a process don't stop at once, on a busy machine.
		require.Eventually(t, func() bool {
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			_, err = c.Allocate(ctx, orders, 10)
			return err != nil
		}, 10*time.Second, 10*time.Millisecond)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NoError(t, goOn())
		_, err = c.Allocate(t.Context(), orders, 10)
		require.NoError(t, err)
	})
}

func TestFind(t *testing.T) {
	_, err := servers.Find("paper")
	require.EqualError(t, err, `no kind of store "paper", there are: `+strings.Join(servers.Names(), ", "))
}
