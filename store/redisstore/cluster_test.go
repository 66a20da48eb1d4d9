package redisstore_test

import (
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/redisstore"
	"github.com/stampid/go-stamp/store/storetest"
)

// newCluster starts a cluster of one node, which has all slots.
func newCluster(t *testing.T) *process {
	t.Helper()
	p := newProcess(t, "--cluster-enabled", "yes", "--cluster-port", freePort(t))
	client, err := redisstore.NewClient(p.url())
	require.NoError(t, err)
	defer func() { require.NoError(t, client.Close()) }()
	require.NoError(t, client.ClusterAddSlotsRange(t.Context(), 0, 16383).Err())
	require.Eventually(t, func() bool {
		return strings.Contains(client.ClusterInfo(t.Context()).Val(), "cluster_state:ok")
	}, patience, 10*time.Millisecond)
	return p
}

func TestClusterConformance(t *testing.T) {
	url := newCluster(t).url()
	open := func(t *testing.T) *redisstore.Store {
		client, err := redisstore.NewClusterClient(url)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, client.Close()) })
		return newStore(t, client, "")
	}
	storetest.Run(t, func(t *testing.T) store.Counters { return open(t) })
	storetest.RunRecords(t, func(t *testing.T) store.Records { return open(t) })
	storetest.RunExpiring(t, func(t *testing.T) store.Expiring { return open(t) })
}

// A cluster client counts retries among its redirections, which must stay on.
func TestClusterSendsOnce(t *testing.T) {
	ctx, node := t.Context(), newCluster(t)
	p := newProxy(t, "127.0.0.1:"+node.port)
	client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{p.address()}, Dialer: p.dial})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	require.Positive(t, client.Options().MaxRedirects)
	s := newStore(t, client, "")
	_, err := s.Create(ctx, orders, 0)
	require.NoError(t, err)
	for _, f := range []fate{loseRequest, loseReply} {
		p.set(f)
		for name, change := range changes(s) {
			before := p.scripts.Load()
			require.ErrorIs(t, change(ctx), store.ErrUnknownOutcome, name)
			require.Equal(t, before+1, p.scripts.Load(), "%s was sent again", name)
		}
	}
	p.set(pass)
	maxID, err := s.Peek(ctx, orders)
	require.NoError(t, err)
	require.Contains(t, []int64{1000, 1010}, maxID, "both changes once, in any order")
}

// All keys of a name are in one slot, that of the name.
func TestHashTag(t *testing.T) {
	ctx := t.Context()
	client, err := redisstore.NewClient(newCluster(t).url())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	want, err := client.ClusterKeySlot(ctx, "shop.orders").Result()
	require.NoError(t, err)
	for _, name := range []string{"cosid:{shop.orders}.adder", "cosid:{shop.orders}.record"} {
		slot, err := client.ClusterKeySlot(ctx, name).Result()
		require.NoError(t, err)
		require.Equal(t, want, slot)
	}
}
