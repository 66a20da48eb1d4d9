package redisstore_test

import (
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/redisstore"
)

// The rights that the package's comment names are enough, and needed.
func TestRights(t *testing.T) {
	ctx, server := t.Context(), newProcess(t)
	admin, err := redisstore.NewClient(server.url())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, admin.Close()) })
	require.NoError(t, admin.Do(ctx, "ACL", "SETUSER", "ids", "on", ">secret", "~cosid:*", "+eval", "+get", "+set", "+incrby", "+del", "+pttl").Err())
	client, err := redisstore.NewClient(strings.Replace(server.url(), "://", "://ids:secret@", 1))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Close()) })

	s := newStore(t, client, "")
	_, err = s.Create(ctx, orders, 0)
	require.NoError(t, err)
	for name, change := range changes(s) {
		require.NoError(t, change(ctx), name)
	}
	_, err = s.Peek(ctx, orders)
	require.NoError(t, err)
	_, err = s.Get(ctx, orders)
	require.NoError(t, err)

	_, err = newStore(t, client, "other").Create(ctx, orders, 0)
	require.ErrorContains(t, err, "NOPERM")
	require.NotErrorIs(t, err, store.ErrUnknownOutcome)
}

// A full memory refuses changes, and they have no effect.
func TestFullMemory(t *testing.T) {
	ctx, server := t.Context(), newProcess(t, "--maxmemory-policy", "noeviction")
	client, err := redisstore.NewClient(server.url())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	s := newStore(t, client, "")
	_, err = s.Create(ctx, orders, 5)
	require.NoError(t, err)
	require.NoError(t, client.ConfigSet(ctx, "maxmemory", "1").Err())
	for name, change := range changes(s) {
		err := change(ctx)
		require.ErrorContains(t, err, "OOM", name)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome, name)
	}
	require.NoError(t, client.ConfigSet(ctx, "maxmemory", "0").Err())
	maxID, err := s.Peek(ctx, orders)
	require.NoError(t, err)
	require.Equal(t, int64(5), maxID)
	record, err := s.Get(ctx, orders)
	require.NoError(t, err)
	require.Nil(t, record)
}

// A replica refuses changes.
func TestReplica(t *testing.T) {
	ctx, master := t.Context(), newProcess(t)
	replica := newProcess(t, "--replicaof", "127.0.0.1 "+master.port)
	client, err := redisstore.NewClient(replica.url())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	_, err = newStore(t, client, "").Create(ctx, orders, 0)
	require.ErrorContains(t, err, "READONLY")
	require.NotErrorIs(t, err, store.ErrUnknownOutcome)
}

// A client that keeps a cache asks the server all the same.
func TestClientSideCache(t *testing.T) {
	ctx, server := t.Context(), newProcess(t)
	p := newProxy(t, "127.0.0.1:"+server.port)
	client := redis.NewClient(&redis.Options{
		Dialer: p.dial, MaxRetries: -1, ClientSideCacheConfig: &redis.ClientSideCacheConfig{},
	})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	s := newStore(t, client, "")
	_, err := s.Create(ctx, orders, 0)
	require.NoError(t, err)
	for range 3 {
		before := p.scripts.Load()
		_, err = s.Peek(ctx, orders)
		require.NoError(t, err)
		_, err = s.Get(ctx, orders)
		require.NoError(t, err)
		require.Equal(t, before+2, p.scripts.Load())
	}
}
