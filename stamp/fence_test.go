package stamp_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/storetest"
)

// fenced is a configuration with a fence on records, as of a new process at an
// instant.
func fenced(t *testing.T, records store.Records, at time.Time) (*stamp.Config, *fence.Fence) {
	t.Helper()
	f, err := fence.New(records, fence.Options{Space: "shop", Start: fence.BeginAtBound})
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close(context.Background()) })
	c, err := stamp.NewConfig(stamp.Options{
		Node: node.Static(3), Fence: f, Clock: clock.NewManual(at), Registry: sequence.NewRegistry(),
	})
	require.NoError(t, err)
	return c, f
}

func TestEveryCallUnderAFence(t *testing.T) {
	at := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	records := store.NewMemory()
	for process := range 3 { // each is killed, and the next one's clock stands where it stood
		c, f := fenced(t, records, at)
		floor := at.Add(time.Duration(process) * 3 * time.Second)
		gen, err := stamp.NewGenerator("orders", c)
		require.NoError(t, err)
		var ids []stamp.ID
		add := func(id stamp.ID, err error) {
			t.Helper()
			require.NoError(t, err)
			ids = append(ids, id)
		}
		add(stamp.Next("orders", c))
		add(stamp.NextContext(t.Context(), "users", c))
		add(gen.Next())
		add(gen.NextContext(t.Context()))
		add(gen.NextAt(at.Add(-time.Hour)))
		ids, err = gen.Append(t.Context(), ids, 10)
		require.NoError(t, err)
		require.Equal(t, 2, c.Registry().Drop("orders")+c.Registry().Drop("users"))
		add(gen.Next())
		add(stamp.Next("users", c))
		for _, id := range ids {
			made, err := c.Time(id)
			require.NoError(t, err)
			require.Equal(t, floor, made)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_ = f.Close(ctx) // killed
		for _, call := range []func() (stamp.ID, error){
			gen.Next,
			func() (stamp.ID, error) { return stamp.Next("orders", c) },
			func() (stamp.ID, error) { return stamp.Next("first used later", c) },
			func() (stamp.ID, error) { return gen.NextAt(at.Add(time.Minute)) },
		} {
			_, err := call()
			require.True(t, errors.Is(err, stamp.ErrFenceStopped) || errors.Is(err, stamp.ErrAhead), "%v", err)
		}
	}
}

func TestANilFenceIsRefused(t *testing.T) {
	_, err := stamp.NewConfig(stamp.Options{Node: node.Static(3), Fence: (*fence.Fence)(nil)})
	require.ErrorIs(t, err, sequence.ErrSettings)
}

func TestHealth(t *testing.T) {
	at := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	o, _ := isolated()
	c := newConfig(t, o)
	_, err := stamp.Next("orders", c)
	require.NoError(t, err)
	h := c.Health(t.Context())
	require.NoError(t, h.Err)
	require.Nil(t, h.Fence)
	require.Positive(t, h.Left)
	require.NoError(t, c.Open(t.Context()), "without a fence there is nothing to wait for")

	faulty := storetest.NewFaultyRecords(store.NewMemory(), nil)
	c, f := fenced(t, faulty, at)
	require.NoError(t, c.Open(t.Context()))
	gen := stamp.MustGenerator("orders", c)
	_, err = gen.NextAt(at.Add(2 * time.Second))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return c.Health(t.Context()).Left > 3*time.Second }, 10*time.Second, time.Millisecond)
	h = c.Health(t.Context())
	require.NoError(t, h.Err)
	require.Equal(t, 2*time.Second, h.Ahead)
	require.True(t, h.Fence.Held)
	require.Equal(t, "shop", h.Fence.Space)
	require.EqualValues(t, 3, h.Fence.Node)
	require.Equal(t, h.Fence.Bound.Sub(at), h.Left)

	require.NoError(t, f.Close(t.Context()))
	require.ErrorIs(t, c.Health(t.Context()).Err, stamp.ErrFenceStopped)
	require.ErrorIs(t, c.Open(t.Context()), stamp.ErrFenceStopped)

	away := errors.New("no node")
	o, _ = isolated()
	o.Layout, o.Node = stamp.Layout{}, node.Func(func(context.Context) (uint64, error) { return 0, away })
	require.ErrorIs(t, newConfig(t, o).Health(t.Context()).Err, away)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, c.Health(ctx).Err, context.Canceled)
}

// A configuration whose ids nobody can repeat, and its probe.
func ExampleConfig_Health() {
	records := store.NewMemory() // or those of sqlstore, redisstore …
	f, err := fence.New(records, fence.Options{Space: "orders-prod"})
	if err != nil {
		fmt.Println(err)
		return
	}
	cfg := stamp.MustConfig(stamp.Options{Node: node.Static(3), Fence: f, Registry: sequence.NewRegistry()})
	probe := func(w http.ResponseWriter, r *http.Request) {
		if h := cfg.Health(r.Context()); h.Err != nil {
			http.Error(w, h.Err.Error(), http.StatusServiceUnavailable)
		}
	}
	ready := func() int {
		w := httptest.NewRecorder()
		probe(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		return w.Code
	}

	if err := cfg.Open(context.Background()); err != nil { // at the start
		fmt.Println(err)
	}
	_, err = stamp.Next("orders", cfg)
	fmt.Println(ready(), err)
	err = f.Close(context.Background()) // at the end
	fmt.Println(ready(), err)
	// Output:
	// 200 <nil>
	// 503 <nil>
}
