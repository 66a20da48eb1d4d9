package storetest

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

// largeValues checks numbers that a float64 doesn't hold.
func (s counterSuite) largeValues(t *testing.T) {
	ctx := testContext(t)
	for name, start := range map[string]int64{
		"large-53": 1 << 53, "large-62": 1<<62 + 1, "large-63": math.MaxInt64 - 1000,
	} {
		client, key := s.counter(t, name, start)
		requirePeek(t, client, key, start)
		at := start
		for _, n := range []int64{1, 1, 2, 5} {
			maxID, err := client.Allocate(ctx, key, n)
			require.NoError(t, err)
			at += n
			require.Equal(t, at, maxID)
			requirePeek(t, client, key, at)
		}
		maxID, err := client.Raise(ctx, key, at+1)
		require.NoError(t, err)
		require.Equal(t, at+1, maxID)
		requirePeek(t, client, key, at+1)
	}
	client, key := s.counter(t, "large-n", 1)
	const n = 1<<53 + 1
	maxID, err := client.Allocate(ctx, key, n)
	require.NoError(t, err)
	require.Equal(t, int64(n+1), maxID)
}

func (s counterSuite) exhausted(t *testing.T) {
	ctx := testContext(t)
	client, key := s.counter(t, "exhausted", math.MaxInt64-10)
	requireFull := func(n, stands int64) {
		t.Helper()
		_, err := client.Allocate(ctx, key, n)
		require.ErrorIs(t, err, store.ErrExhausted)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome)
		requirePeek(t, client, key, stands)
	}
	requireFull(11, math.MaxInt64-10)
	requireFull(math.MaxInt64, math.MaxInt64-10)
	maxID, err := client.Allocate(ctx, key, 10)
	require.NoError(t, err, "the last numbers are there to be used")
	require.Equal(t, int64(math.MaxInt64), maxID)
	requireFull(1, math.MaxInt64)
	maxID, err = client.Raise(ctx, key, math.MaxInt64)
	require.NoError(t, err)
	require.Equal(t, int64(math.MaxInt64), maxID)
}

func (s counterSuite) cancelledBefore(t *testing.T) {
	client, key := s.counter(t, "cancelled-before", 3)
	for want, ctx := range contextEnds(t) {
		_, err := client.Create(ctx, s.key("cancelled-create"), 0)
		require.ErrorIs(t, err, want, "create")
		_, err = client.Allocate(ctx, key, 1)
		require.ErrorIs(t, err, want, "allocate")
		_, err = client.Peek(ctx, key)
		require.ErrorIs(t, err, want, "peek")
		_, err = client.Raise(ctx, key, 9)
		require.ErrorIs(t, err, want, "raise")
	}
	requirePeek(t, client, key, 3)
	_, err := client.Peek(testContext(t), s.key("cancelled-create"))
	require.ErrorIs(t, err, store.ErrNoCounter)
}

func (s counterSuite) invalid(t *testing.T) {
	ctx := testContext(t)
	client, key := s.counter(t, "invalid", 5)
	missing := s.key("invalid-missing")
	for _, negative := range []int64{-1, math.MinInt64} {
		_, err := client.Create(ctx, missing, negative)
		requireInvalid(t, err, "start")
		_, err = client.Raise(ctx, key, negative)
		requireInvalid(t, err, "to")
	}
	for _, n := range []int64{0, -1, math.MinInt64} {
		_, err := client.Allocate(ctx, key, n)
		requireInvalid(t, err, "n")
		_, err = client.Allocate(ctx, missing, n)
		requireInvalid(t, err, "n")
	}
	for _, bad := range badKeys(s.namespace) {
		_, err := client.Create(ctx, bad, 0)
		requireInvalid(t, err, "namespace", "name")
		_, err = client.Allocate(ctx, bad, 1)
		requireInvalid(t, err, "namespace", "name")
		_, err = client.Peek(ctx, bad)
		requireInvalid(t, err, "namespace", "name")
		_, err = client.Raise(ctx, bad, 1)
		requireInvalid(t, err, "namespace", "name")
	}
	requirePeek(t, client, key, 5)
	_, err := client.Peek(ctx, missing)
	require.ErrorIs(t, err, store.ErrNoCounter)
}

// requireInvalid checks that err names one of fields.
func requireInvalid(t *testing.T, err error, fields ...string) {
	t.Helper()
	require.ErrorIs(t, err, store.ErrInvalid)
	require.NotErrorIs(t, err, store.ErrUnknownOutcome)
	var argument *store.ArgumentError
	require.ErrorAs(t, err, &argument)
	require.Contains(t, fields, argument.Field)
}
