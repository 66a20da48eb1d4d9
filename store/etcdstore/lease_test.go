package etcdstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/node/lease"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

// Two processes have different numbers, and the next one takes over what a third
// left, above its ids.
func leases(t *testing.T, records store.Records) {
	t.Helper()
	o := lease.Options{Space: unique(), First: 1, Last: 2, TTL: 2 * time.Second, Fence: fence.Options{Window: time.Second, Start: fence.BeginAtBound}}
	acquire := func(name string) (*lease.Lease, stamp.ID) {
		t.Helper()
		named := o
		named.Name = name
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		l, err := lease.Acquire(ctx, records, named)
		require.NoError(t, err)
		cfg, err := stamp.NewConfig(stamp.Options{Node: l, Registry: sequence.NewRegistry()})
		require.NoError(t, err)
		id, err := stamp.NextContext(ctx, "orders", cfg)
		require.NoError(t, err)
		return l, id
	}
	first, made := acquire("a")
	second, _ := acquire("b")
	require.NotEqual(t, first.Number(), second.Number())
	_, err := lease.Acquire(t.Context(), records, o)
	require.ErrorIs(t, err, lease.ErrNoFreeNode)

	killed, cancel := context.WithCancel(t.Context())
	cancel()
	_ = first.Close(killed)
	again, id := acquire("a")
	require.Equal(t, first.Number(), again.Number())
	require.Greater(t, id, made)
	require.NoError(t, errors.Join(again.Close(t.Context()), second.Close(t.Context())))
	entries, err := lease.List(t.Context(), records, o.Space, bits.Default().Layout, bits.Default().Timescale, 0, 9)
	require.NoError(t, err)
	require.Len(t, entries, 2)
	for _, e := range entries {
		require.True(t, e.Free(), e.Node)
	}
}

func TestLeases(t *testing.T) {
	t.Parallel()
	leases(t, newStore(t, connect(t), newPrefix(t)))
}

// Also in the last second of its time a record has some left, as long as etcd has
// not ended its lease.
func TestTheLastSecondOfARecord(t *testing.T) {
	t.Parallel()
	client, prefix := connect(t), newPrefix(t)
	s, key := newStore(t, client, prefix), store.Key{Namespace: unique(), Name: "orders"}
	require.NoError(t, s.CompareAndSetExpiring(t.Context(), key, nil, []byte("a"), 2*time.Second))
	for {
		alive, err := client.Get(t.Context(), prefix+"-records/"+key.String()+"\x00alive")
		require.NoError(t, err)
		_, left, err := s.GetExpiring(t.Context(), key)
		require.NoError(t, err)
		after, err := client.Get(t.Context(), prefix+"-records/"+key.String()+"\x00alive")
		require.NoError(t, err)
		if len(alive.Kvs) == 0 {
			return
		}
		if len(after.Kvs) > 0 {
			require.Positive(t, left)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
