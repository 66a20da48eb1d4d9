package store_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

var (
	_ store.Counters = (*store.Memory)(nil)
	_ store.Records  = (*store.Memory)(nil)
)

func TestKeyString(t *testing.T) {
	require.Equal(t, "shop.order_no@20260101", store.Key{Namespace: "shop", Name: "order_no@20260101"}.String())
}

func TestMemoryRestore(t *testing.T) {
	ctx, key := t.Context(), store.Key{Namespace: "shop", Name: "orders"}
	m := store.NewMemory()
	_, err := m.Create(ctx, key, 10)
	require.NoError(t, err)
	require.NoError(t, m.CompareAndSet(ctx, key, nil, []byte("a")))
	backup := m.Contents()
	require.Equal(t, store.Contents{
		Counters: map[string]int64{"shop.orders": 10}, Records: map[string][]byte{"shop.orders": []byte("a")},
		Expires: map[string]time.Time{},
	}, backup)

	_, err = m.Allocate(ctx, key, 5)
	require.NoError(t, err)
	require.NoError(t, m.CompareAndSet(ctx, key, []byte("a"), []byte("b")))
	m.Restore(backup)
	backup.Counters["shop.orders"] = 99 // no part of the store
	backup.Records["shop.orders"][0] = 'z'
	maxID, err := m.Allocate(ctx, key, 5)
	require.NoError(t, err)
	require.Equal(t, int64(15), maxID)
	value, err := m.Get(ctx, key)
	require.NoError(t, err)
	require.Equal(t, "a", string(value))

	m.Restore(store.Contents{})
	_, err = m.Peek(ctx, key)
	require.ErrorIs(t, err, store.ErrNoCounter)
	created, err := m.Create(ctx, key, 0)
	require.NoError(t, err)
	require.True(t, created)
}

func TestMemoryErrors(t *testing.T) {
	ctx, key := t.Context(), store.Key{Namespace: "shop", Name: "orders"}
	m := store.NewMemory()
	_, err := m.Peek(ctx, key)
	require.EqualError(t, err, `store: no such counter: "shop.orders"`)
	_, err = m.Create(ctx, key, 9223372036854775800)
	require.NoError(t, err)
	_, err = m.Allocate(ctx, key, 8)
	require.EqualError(t, err, `store: counter exhausted: "shop.orders" stands at 9223372036854775800, no room for 8 more`)
	require.EqualError(t, m.CompareAndSet(ctx, key, []byte("a"), []byte("b")), `store: record has changed: "shop.orders"`)
}

func ExampleMemory() {
	ctx := context.Background()
	key := store.Key{Namespace: "shop", Name: "orders"}
	counters := store.NewMemory()
	if _, err := counters.Create(ctx, key, 0); err != nil {
		fmt.Println(err)
		return
	}
	const n = 100
	maxID, err := counters.Allocate(ctx, key, n)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(maxID-n+1, "to", maxID)
	// Output: 1 to 100
}
