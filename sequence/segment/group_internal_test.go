package segment

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/store"
)

// hooked is a clock that calls a function after each look at it.
type hooked struct {
	*clock.Manual
	hook func()
}

func (h *hooked) Monotonic() time.Duration {
	at := h.Manual.Monotonic()
	if h.hook != nil {
		h.hook()
	}
	return at
}

// dropped makes a generator whose segment of group a was dropped, with 9
// numbers left, for a call of b, and the fetch that had brought it.
func dropped(t *testing.T, h *hooked) (*Generator, *flight) {
	t.Helper()
	name := "a"
	g, err := New(store.NewMemory(), store.Key{Namespace: "shop", Name: "orders"}, Options{
		Mode: Sync, TTL: time.Minute, Clock: h,
		Group: Group{Func: func(context.Context) (string, error) { return name, nil }},
	})
	require.NoError(t, err)
	_, err = g.NextGrouped(t.Context())
	require.NoError(t, err)
	f := &flight{segment: g.current.Load()}
	name = "b"
	_, err = g.NextGrouped(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 9, g.Stats().Wasted.Group)
	return g, f
}

// Who has waited for a segment gets numbers of it though others have dropped
// it, but not after the generator has stopped.
func TestDroppedSegmentIsForThoseWhoWaited(t *testing.T) {
	g, f := dropped(t, &hooked{Manual: clock.NewManual(time.Now())})
	r, ok := g.direct(f, "a", 1)
	require.True(t, ok)
	require.Equal(t, Run{First: 2, Last: 2, Group: "a"}, r)
	require.EqualValues(t, 8, g.Stats().Wasted.Group)
	require.EqualValues(t, 3, g.Stats().Given)
	_, ok = g.direct(f, "b", 1)
	require.False(t, ok)

	g.mu.Lock()
	_ = g.halt(&RolledBackError{})
	g.unlock()
	_, ok = g.direct(f, "a", 1)
	require.False(t, ok, "the store can give its numbers to others again")
}

// The segment expires, and others drop it, at any moment of the call.
func TestDroppedSegmentExpires(t *testing.T) {
	h := &hooked{Manual: clock.NewManual(time.Now())}
	g, f := dropped(t, h)
	g.group = f.segment.group // as if it hadn't been dropped
	g.current.Store(f.segment)
	g.meter.wastedGroup = 0
	h.hook = func() {
		if g.mu.TryLock() {
			g.shed(time.Hour)
			g.unlock()
		}
	}
	_, _ = g.direct(f, "a", 1)
	h.hook = nil
	require.LessOrEqual(t, g.Stats().Wasted.Group, uint64(9), "it hasn't wrapped")
	h.Advance(time.Minute)
	_, ok := g.direct(f, "a", 1)
	require.False(t, ok)
}

// A failure takes back what hunger did, not what quiet periods have done since.
func TestFailureDoesNotRaiseTheDistance(t *testing.T) {
	d := distance{now: 2, undo: 4}
	d.relent()
	require.EqualValues(t, 2, d.now)
	d = distance{now: 8, undo: 4}
	d.relent()
	d.relent()
	require.EqualValues(t, 4, d.now)
}
