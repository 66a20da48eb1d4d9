package storetest

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

// counterSuite is what [Run] runs. Each test has keys of its own.
type counterSuite struct {
	open      func(t *testing.T) store.Counters
	namespace string
}

func (s counterSuite) key(name string) store.Key {
	return store.Key{Namespace: s.namespace, Name: name}
}

// counter returns a client, and the key of a counter that it has created.
func (s counterSuite) counter(t *testing.T, name string, start int64) (store.Counters, store.Key) {
	t.Helper()
	client, key := s.open(t), s.key(name)
	created, err := client.Create(testContext(t), key, start)
	require.NoError(t, err)
	require.True(t, created, "the counter is there before it is created")
	return client, key
}

func requirePeek(t *testing.T, client store.Counters, key store.Key, want int64) {
	t.Helper()
	got, err := client.Peek(testContext(t), key)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func (s counterSuite) create(t *testing.T) {
	ctx := testContext(t)
	client, key := s.counter(t, "create", 7)
	requirePeek(t, client, key, 7)
	for _, start := range []int64{0, 7, 1000} {
		created, err := client.Create(ctx, key, start)
		require.NoError(t, err)
		require.False(t, created, "created twice")
		requirePeek(t, client, key, 7)
	}
	maxID, err := client.Allocate(ctx, key, 3)
	require.NoError(t, err)
	require.Equal(t, int64(10), maxID)
	created, err := client.Create(ctx, key, 7)
	require.NoError(t, err)
	require.False(t, created, "created after an allocation")
	requirePeek(t, client, key, 10)
}

func (s counterSuite) createAtOnce(t *testing.T) {
	const callers = 20
	clients := [2]store.Counters{s.open(t), s.open(t)}
	ctx, key := testContext(t), s.key("create-at-once")
	var winners atomic.Int64
	var start atomic.Int64
	errs := make([]error, callers)
	atOnce(callers, func(i int) {
		created, err := clients[i%2].Create(ctx, key, int64(100+i))
		errs[i] = err
		if created {
			winners.Add(1)
			start.Store(int64(100 + i))
		}
	})
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.EqualValues(t, 1, winners.Load(), "callers that created the counter")
	requirePeek(t, clients[0], key, start.Load())
}

func (s counterSuite) missing(t *testing.T) {
	ctx := testContext(t)
	client, key := s.open(t), s.key("missing")
	requireMissing := func() {
		t.Helper()
		_, err := client.Peek(ctx, key)
		require.ErrorIs(t, err, store.ErrNoCounter)
	}
	requireMissing()
	_, err := client.Allocate(ctx, key, 1)
	require.ErrorIs(t, err, store.ErrNoCounter)
	require.NotErrorIs(t, err, store.ErrUnknownOutcome)
	requireMissing()
	_, err = client.Raise(ctx, key, 5)
	require.ErrorIs(t, err, store.ErrNoCounter)
	require.NotErrorIs(t, err, store.ErrUnknownOutcome)
	requireMissing()
}

func (s counterSuite) start(t *testing.T) {
	ctx := testContext(t)
	for name, start := range map[string]int64{"start-0": 0, "start-1": 1, "start-100": 100} {
		client, key := s.counter(t, name, start)
		maxID, err := client.Allocate(ctx, key, 10)
		require.NoError(t, err)
		require.Equal(t, start+10, maxID)
		maxID, err = client.Allocate(ctx, key, 1)
		require.NoError(t, err)
		require.Equal(t, start+11, maxID)
		requirePeek(t, client, key, start+11)
	}
}

func (s counterSuite) raise(t *testing.T) {
	ctx := testContext(t)
	client, key := s.counter(t, "raise", 10)
	for _, step := range []struct{ to, want int64 }{{50, 50}, {50, 50}, {20, 50}, {0, 50}, {51, 51}} {
		maxID, err := client.Raise(ctx, key, step.to)
		require.NoError(t, err)
		require.Equal(t, step.want, maxID, "raised to %d", step.to)
		requirePeek(t, client, key, step.want)
	}
	maxID, err := client.Allocate(ctx, key, 1)
	require.NoError(t, err)
	require.Equal(t, int64(52), maxID)
}
