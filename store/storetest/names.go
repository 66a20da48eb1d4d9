package storetest

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

// plainNames are what segments need: every store must hold them.
func plainNames() []string {
	return []string{"orders", "__share__", "order_no@20260101", "order_no@2026", "orders#3", "shop.orders", "a-b", "7"}
}

// oddNames are names that a store may refuse. If it holds them, it must keep
// them apart from each other and from the plain ones.
func oddNames() []string {
	return []string{
		"Orders", "ORDERS", "orders ", " orders", "orders\t", "orders\n", "orders.", ".orders", "orders@", "orders%",
		"órders", "o\u0301rders", "ｏrders", "订单", "🧾", "ß", "ss",
		"order_", "order%", "order*", "order?", "[a-z]", `a\b`, `a\\b`, "a/b", "a%2Fb", "a//b", "..", ".", "a:b", "a{b}", "{}",
		"'", "''", `"`, "`", "a'b", "$1", ":name", "?", "--", ";", "null", "NULL", "~", "$where", "\x01", "\x7f", "\u2028",
	}
}

// badKeys are keys that every store must refuse.
func badKeys(namespace string) []store.Key {
	return []store.Key{
		{},
		{Namespace: namespace},
		{Name: "orders"},
		{Namespace: namespace, Name: "\x00"},
		{Namespace: namespace, Name: "orders\x00"},
		{Namespace: namespace + "\x00", Name: "orders"},
		{Namespace: namespace, Name: "orders\xff"},
		{Namespace: namespace + "\xc3", Name: "orders"},
	}
}

// longNames returns names of many lengths, in pairs that differ only in their
// last byte. A store may refuse them, but must not cut them off.
func longNames() (names []string) {
	for length := 16; length <= 1<<17; length *= 2 {
		same := strings.Repeat("n", length-1)
		names = append(names, same+"a", same+"b")
	}
	return names
}

func (s counterSuite) names(t *testing.T) {
	held := s.createAll(t, plainNames(), "plain")
	require.Len(t, held, len(plainNames()), "plain names must not be refused")
	s.requireApart(t, append(held, s.createAll(t, oddNames(), "odd")...))
}

func (s counterSuite) longNames(t *testing.T) { s.requireApart(t, s.createAll(t, longNames(), "long")) }

// createAll creates a counter for each name that the store holds. The kind is
// for messages.
func (s counterSuite) createAll(t *testing.T, names []string, kind string) (held []store.Key) {
	t.Helper()
	client, ctx := s.open(t), testContext(t)
	for _, name := range names {
		key := store.Key{Namespace: s.namespace + "-names", Name: name}
		created, err := client.Create(ctx, key, 0)
		if errors.Is(err, store.ErrInvalid) {
			continue
		}
		require.NoError(t, err, "%s name %.40q", kind, name)
		require.True(t, created, "%s name %.40q is taken for another", kind, name)
		held = append(held, key)
	}
	return held
}

func (s counterSuite) requireApart(t *testing.T, keys []store.Key) {
	t.Helper()
	client, ctx := s.open(t), testContext(t)
	for i, key := range keys {
		n := int64(i) + 1
		maxID, err := client.Allocate(ctx, key, n)
		require.NoError(t, err, "name %.40q", key.Name)
		require.Equal(t, n, maxID, "name %.40q is taken for another", key.Name)
	}
	for i, key := range keys {
		maxID, err := client.Peek(ctx, key)
		require.NoError(t, err, "name %.40q", key.Name)
		require.Equal(t, int64(i)+1, maxID, "name %.40q is taken for another", key.Name)
	}
}
