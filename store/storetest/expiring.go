package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

// RunExpiring tests that a store's records run out. Open is as in [Run]. It takes
// some seconds, as a store may count in seconds.
func RunExpiring(t *testing.T, open func(t *testing.T) store.Expiring) {
	s := expiringSuite{open: open, namespace: newNamespace()}
	t.Run("never had one", s.never)
	t.Run("runs out", s.runsOut)
	t.Run("conflict", s.conflict)
	t.Run("begins anew", s.anew)
	t.Run("ends", s.ends)
	t.Run("invalid arguments", s.invalid)
}

// short is a time to live that a test waits for.
const short = 2 * time.Second

type expiringSuite struct {
	open      func(t *testing.T) store.Expiring
	namespace string
}

func (s expiringSuite) key(name string) store.Key {
	return store.Key{Namespace: s.namespace, Name: name}
}

// left requires the record, and returns for how long it has to live.
func left(t *testing.T, client store.Expiring, key store.Key, want []byte) time.Duration {
	t.Helper()
	value, ttl, err := client.GetExpiring(testContext(t), key)
	require.NoError(t, err)
	require.Equal(t, want, value)
	require.GreaterOrEqual(t, ttl, time.Duration(0))
	requireRecord(t, client, key, want)
	return ttl
}

func (s expiringSuite) never(t *testing.T) {
	ctx, client, key := testContext(t), s.open(t), s.key("never")
	require.Zero(t, left(t, client, key, nil))
	require.NoError(t, client.CompareAndSet(ctx, key, nil, []byte("a")))
	require.Zero(t, left(t, client, key, []byte("a")))
}

// The record stays, and can be replaced, when its time is over.
func (s expiringSuite) runsOut(t *testing.T) {
	ctx, key := testContext(t), s.key("runs-out")
	client, other := s.open(t), s.open(t)
	value := []byte("a\x00b")
	require.NoError(t, client.CompareAndSetExpiring(ctx, key, nil, value, short))
	ttl := left(t, other, key, value)
	require.Positive(t, ttl)
	require.LessOrEqual(t, ttl, time.Minute)
	for left(t, other, key, value) > 0 {
		require.NoError(t, wait(ctx, 50*time.Millisecond), "it doesn't run out")
	}
	require.NoError(t, other.CompareAndSetExpiring(ctx, key, value, []byte("b"), time.Hour))
	require.Positive(t, left(t, client, key, []byte("b")))
}

// A write that isn't made changes no time either.
func (s expiringSuite) conflict(t *testing.T) {
	ctx, client, key := testContext(t), s.open(t), s.key("conflict")
	require.NoError(t, client.CompareAndSetExpiring(ctx, key, nil, []byte("a"), time.Hour))
	require.ErrorIs(t, client.CompareAndSetExpiring(ctx, key, nil, []byte("b"), time.Minute), store.ErrConflict)
	require.ErrorIs(t, client.CompareAndSetExpiring(ctx, key, []byte("b"), []byte("c"), time.Minute), store.ErrConflict)
	require.ErrorIs(t, client.CompareAndSet(ctx, key, []byte("b"), []byte("c")), store.ErrConflict)
	require.Greater(t, left(t, client, key, []byte("a")), 50*time.Minute)
}

func (s expiringSuite) anew(t *testing.T) {
	ctx, client, key := testContext(t), s.open(t), s.key("anew")
	require.NoError(t, client.CompareAndSetExpiring(ctx, key, nil, []byte("a"), time.Minute))
	for range 2 { // also over the same value
		require.NoError(t, client.CompareAndSetExpiring(ctx, key, []byte("a"), []byte("a"), time.Hour))
		require.Greater(t, left(t, client, key, []byte("a")), 50*time.Minute)
	}
	require.NoError(t, client.CompareAndSetExpiring(ctx, key, []byte("a"), []byte("b"), time.Minute))
	require.LessOrEqual(t, left(t, client, key, []byte("b")), 2*time.Minute)
}

// A plain write leaves a record without time.
func (s expiringSuite) ends(t *testing.T) {
	ctx, client, key := testContext(t), s.open(t), s.key("ends")
	require.NoError(t, client.CompareAndSetExpiring(ctx, key, nil, []byte("a"), time.Hour))
	require.NoError(t, client.CompareAndSet(ctx, key, []byte("a"), []byte("a")))
	require.Zero(t, left(t, client, key, []byte("a")))
}

func (s expiringSuite) invalid(t *testing.T) {
	ctx, client, key := testContext(t), s.open(t), s.key("invalid")
	for _, ttl := range []time.Duration{-time.Second, 0, time.Millisecond - 1, store.MaxTTL + 1} {
		require.ErrorIs(t, client.CompareAndSetExpiring(ctx, key, nil, []byte("a"), ttl), store.ErrInvalid, ttl)
	}
	require.ErrorIs(t, client.CompareAndSetExpiring(ctx, key, nil, nil, time.Minute), store.ErrInvalid)
	require.ErrorIs(t, client.CompareAndSetExpiring(ctx, s.key(""), nil, []byte("a"), time.Minute), store.ErrInvalid)
	_, _, err := client.GetExpiring(ctx, s.key(""))
	require.ErrorIs(t, err, store.ErrInvalid)
	for over, cancelled := range contextEnds(t) {
		require.ErrorIs(t, client.CompareAndSetExpiring(cancelled, key, nil, []byte("a"), time.Minute), over)
		_, _, err := client.GetExpiring(cancelled, key)
		require.ErrorIs(t, err, over)
	}
	require.Zero(t, left(t, client, key, nil))
}
