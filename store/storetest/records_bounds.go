package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

// sameKey checks a store that has counters too.
func (s recordSuite) sameKey(t *testing.T) {
	client, key := s.open(t), s.key("same-key")
	counters, ok := client.(store.Counters)
	if !ok {
		t.Skip("the client has no counters")
	}
	ctx := testContext(t)
	require.NoError(t, client.CompareAndSet(ctx, key, nil, []byte("record")))
	_, err := counters.Peek(ctx, key)
	require.ErrorIs(t, err, store.ErrNoCounter)
	created, err := counters.Create(ctx, key, 4)
	require.NoError(t, err)
	require.True(t, created)
	requireRecord(t, client, key, []byte("record"))
	requirePeek(t, counters, key, 4)
}

func (s recordSuite) cancelledBefore(t *testing.T) {
	client, key := s.open(t), s.key("cancelled-before")
	for want, ctx := range contextEnds(t) {
		_, err := client.Get(ctx, key)
		require.ErrorIs(t, err, want, "get")
		require.ErrorIs(t, client.CompareAndSet(ctx, key, nil, []byte("x")), want, "compare and set")
	}
	requireRecord(t, client, key, nil)
}

// cancelledDuring checks that the author of a write that was cut off finds out
// by reading.
func (s recordSuite) cancelledDuring(t *testing.T) {
	ctx := testContext(t)
	client, key := s.open(t), s.key("cancelled-during")
	var stands []byte
	write := func(ctx context.Context, value []byte) error {
		err := client.CompareAndSet(ctx, key, stands, value)
		if err == nil {
			stands = value
		}
		return err
	}
	calls := 0
	next := func() []byte {
		calls++
		return fmt.Appendf(nil, "write %d", calls)
	}
	oneCall := sample(func() { require.NoError(t, write(ctx, next())) })
	for range 30 {
		short, cancel := cancelSoon(ctx, oneCall)
		value := next()
		err := write(short, value)
		cancel()
		if err == nil {
			continue
		}
		unknown := requireCutOff(t, err)
		got, err := client.Get(ctx, key)
		require.NoError(t, err)
		if unknown && string(got) == string(value) {
			stands = value
			continue
		}
		require.Equal(t, string(stands), string(got), "after a write that failed")
		if unknown {
			// It may still be on its way. Any write of this author ends that.
			require.True(t, s.overtake(t, client, key, &stands, value, next()))
		}
	}
	requireRecord(t, client, key, stands)
}

// overtake writes value over what stands, or over late if that has arrived in
// the meantime.
func (s recordSuite) overtake(t *testing.T, client store.Records, key store.Key, stands *[]byte, late, value []byte) bool {
	t.Helper()
	ctx := testContext(t)
	for _, old := range [][]byte{*stands, late} {
		err := client.CompareAndSet(ctx, key, old, value)
		if err == nil {
			*stands = value
			return true
		}
		if !errors.Is(err, store.ErrConflict) {
			require.NoError(t, err)
		}
	}
	return false
}

func (s recordSuite) names(t *testing.T) {
	client, ctx := s.open(t), testContext(t)
	var held []store.Key
	for i, name := range append(append(plainNames(), oddNames()...), longNames()...) {
		key := store.Key{Namespace: s.namespace + "-names", Name: name}
		err := client.CompareAndSet(ctx, key, nil, []byte(name[:1]+fmt.Sprint(i)))
		if errors.Is(err, store.ErrInvalid) {
			require.GreaterOrEqual(t, i, len(plainNames()), "plain name %q must not be refused", name)
			continue
		}
		require.NoError(t, err, "name %.40q is refused or taken for another", name)
		held = append(held, key)
	}
	seen := map[string]bool{}
	for _, key := range held {
		value, err := client.Get(ctx, key)
		require.NoError(t, err)
		require.Equal(t, key.Name[:1], string(value[:1]), "name %.40q", key.Name)
		require.False(t, seen[string(value)], "name %.40q is taken for another", key.Name)
		seen[string(value)] = true
	}
}

func (s recordSuite) invalid(t *testing.T) {
	ctx := testContext(t)
	client, key := s.open(t), s.key("invalid")
	requireInvalid(t, client.CompareAndSet(ctx, key, nil, nil), "length of value")
	requireRecord(t, client, key, nil)
	for _, bad := range badKeys(s.namespace) {
		_, err := client.Get(ctx, bad)
		requireInvalid(t, err, "namespace", "name")
		requireInvalid(t, client.CompareAndSet(ctx, bad, nil, []byte("x")), "namespace", "name")
	}
}
