package chaos

import (
	"context"
	"errors"
	"flag"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/relay"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

// outage is how long a store is away.
var outage = flag.Duration("outage", 2*time.Second, "how long stores are away in tests of outages")

// counted counts the calls that go to a store.
type counted struct {
	store.Counters
	calls atomic.Int64
}

func (c *counted) Allocate(ctx context.Context, key store.Key, n int64) (int64, error) {
	c.calls.Add(1)
	return c.Counters.Allocate(ctx, key, n)
}

// absence is a way for a store to be away.
type absence struct {
	through string       // the store's URL
	relay   *relay.Relay // nil without a server
	begin   func()
	end     func()
}

// away prepares that a store is away: behind a relay that does something to all
// requests, or, without a server, since somebody holds its lock.
func away(s *scene, kind relay.Kind) absence {
	if s.server.HasServer() {
		r, err := relay.New(s.server.Addr(), 1)
		require.NoError(s.t, err)
		s.t.Cleanup(func() { require.NoError(s.t, r.Close()) })
		return absence{
			through: s.server.URLAt(r.Addr()), relay: r,
			begin: func() { r.Set(relay.Fault{Kind: kind}) }, end: func() { r.Set(relay.Fault{}) },
		}
	}
	var release func() error
	return absence{
		through: s.server.URL(),
		begin: func() {
			var err error
			release, err = s.server.Hold(s.t.Context())
			require.NoError(s.t, err)
		},
		end: func() { require.NoError(s.t, release()) },
	}
}

// generator makes one with a counter of its own and counts its calls.
func (s *scene) generator(url, name string, o segment.Options) (*segment.Generator, *counted) {
	s.t.Helper()
	c := &counted{Counters: s.open(url)}
	g, err := segment.New(c, store.Key{Namespace: "outage", Name: name}, o)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { require.NoError(s.t, g.Close()) })
	require.Eventually(s.t, func() bool { return g.Warm(s.t.Context()) == nil }, patience, 10*time.Millisecond)
	return g, c
}

// requireTyped requires an error that a caller can tell an outage by.
func requireTyped(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, segment.ErrBackoff) && !errors.Is(err, segment.ErrFetch) {
		require.ErrorIs(t, err, context.DeadlineExceeded)
	}
}

// drain takes numbers until there are none, and returns the error.
func drain(g *segment.Generator, patience time.Duration) error {
	for {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		_, err := g.Next(ctx)
		cancel()
		if err != nil {
			return err
		}
	}
}

// A store goes away under load and comes back. A chain with enough in reserve
// serves on, without an error and without a wait. Generators without a reserve end
// in typed errors, hardly ask the store, whatever the number of their callers, and
// go on by themselves.
func testOutage(t *testing.T, s *scene) {
	a := away(s, relay.Refuse)
	// 100 numbers each 10 ms: for a minute.
	rich, _ := s.generator(a.through, "rich", segment.Options{Step: 100_000, SafeDistance: 6})
	poor, poorCalls := s.generator(a.through, "poor", segment.Options{Mode: segment.Sync, FetchTimeout: time.Second})
	short, shortCalls := s.generator(a.through, "short", segment.Options{FetchTimeout: time.Second})
	stock := rich.Stats()
	require.GreaterOrEqual(t, stock.Current+stock.Reserve, uint64(600_000))

	a.begin()
	end := time.Now().Add(*outage)
	askedPoor, askedShort := poorCalls.calls.Load(), shortCalls.calls.Load()
	requireTyped(t, drain(short, 100*time.Millisecond))
	var callers sync.WaitGroup
	for range 1000 { // all of them find nothing
		callers.Go(func() { requireTyped(t, drain(poor, 10*time.Millisecond)) })
	}
	callers.Wait()
	for time.Now().Before(end) {
		for range 100 {
			_, err := rich.Next(t.Context())
			require.NoError(t, err)
		}
		for _, g := range []*segment.Generator{poor, short} {
			requireTyped(t, drain(g, 10*time.Millisecond))
		}
		time.Sleep(10 * time.Millisecond)
	}
	askedPoor, askedShort = poorCalls.calls.Load()-askedPoor, shortCalls.calls.Load()-askedShort
	a.end()

	require.Equal(t, stock.Waits, rich.Stats().Waits)
	require.Zero(t, rich.Stats().Hunger)
	// The first, and one for each wait: of 100 ms, doubled up to 10 s, each cut by
	// up to half.
	most := int64(1)
	for wait, sum := segment.DefaultBackoffMin, time.Duration(0); sum < *outage+time.Second; sum += wait / 2 {
		most++
		wait = min(2*wait, segment.DefaultBackoffMax)
	}
	require.Positive(t, askedPoor)
	require.LessOrEqual(t, askedPoor, most)
	require.LessOrEqual(t, askedShort, most)
	if a.relay != nil {
		t.Logf("%d and %d calls in %v; %d connections in all", askedPoor, askedShort, *outage, a.relay.Counts().Connections)
	}
	for _, g := range []*segment.Generator{rich, poor, short} {
		require.Eventually(t, func() bool {
			_, err := g.Next(t.Context())
			return err == nil
		}, patience, 10*time.Millisecond, "it goes on by itself")
	}
}

// A store that hangs: callers leave at their deadlines, others don't notice, the
// fetch ends at its time-out, and ids go on when the store does.
func testHung(t *testing.T, s *scene) {
	const fetchTimeout = 500 * time.Millisecond
	a := away(s, relay.Hang)
	hung, calls := s.generator(a.through, "hung", segment.Options{Mode: segment.Sync, FetchTimeout: fetchTimeout})
	other, _ := s.generator(s.auditURL, "other", segment.Options{Mode: segment.Sync})

	a.begin()
	asked := calls.calls.Load()
	begun := time.Now()
	err := drain(hung, 100*time.Millisecond)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.GreaterOrEqual(t, time.Since(begun), 100*time.Millisecond)
	for range 100 {
		_, err := other.Next(t.Context())
		require.NoError(t, err)
	}
	// The next caller joins the fetch that is under way. Where the loop before
	// took longer than that, its call is the second.
	_, err = hung.Next(t.Context())
	require.ErrorIs(t, err, segment.ErrFetch)
	require.LessOrEqual(t, calls.calls.Load(), asked+2)
	a.end()
	require.Eventually(t, func() bool {
		_, err := hung.Next(t.Context())
		return err == nil
	}, patience, 10*time.Millisecond)
	require.Eventually(t, func() bool { return hung.Stats().LeftBehind == 0 }, patience, 10*time.Millisecond)
}
