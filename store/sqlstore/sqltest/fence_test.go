package sqltest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/store"
)

// fencedIDs starts a process whose clock stands at an instant, and makes ids
// from there to two seconds later.
func fencedIDs(t *testing.T, records store.Records, name string, at time.Time) (ids []int64, f *fence.Fence) {
	t.Helper()
	f, err := fence.New(records, fence.Options{Space: name, Start: fence.BeginAtBound, CallTimeout: 10 * time.Second})
	require.NoError(t, err)
	space, err := sequence.NewRegistry().Space(sequence.Settings{
		Layout: bits.Default().Layout, Timescale: bits.Default().Timescale, Clock: clock.NewManual(at), Fence: f,
	})
	require.NoError(t, err)
	s, err := space.Sequence("orders", 3, 0)
	require.NoError(t, err)
	caller := sequence.Caller{Timeout: time.Minute}
	for d := time.Duration(0); d <= 2*time.Second; d += 500 * time.Millisecond {
		id, err := s.NextAt(at.Add(d), &caller)
		require.NoError(t, err)
		ids = append(ids, id)
	}
	require.NoError(t, space.Health(3, &caller).Err)
	return ids, f
}

// A fence keeps the ids of a process that was killed, of one that was stopped
// and of the one after them apart, with a clock that stands where it stood.
func fenced(t *testing.T, records store.Records) {
	t.Helper()
	at := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	space := unique()
	killed, f := fencedIDs(t, records, space, at)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_ = f.Close(ctx)

	stopped, f := fencedIDs(t, records, space, at)
	require.Greater(t, stopped[0], killed[len(killed)-1])
	require.NoError(t, f.Close(t.Context()))

	last, f := fencedIDs(t, records, space, at)
	require.Equal(t, stopped[len(stopped)-1]>>22+1, last[0]>>22, "in the next millisecond")
	require.NoError(t, f.Close(t.Context()))
}

func TestFence(t *testing.T) {
	each(t, func(t *testing.T, d database) { fenced(t, d.store(t, d.db)) })
}
