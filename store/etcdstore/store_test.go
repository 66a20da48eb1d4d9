package etcdstore_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/etcdstore"
	"github.com/stampid/go-stamp/store/storetest"
)

var (
	_ store.Counters = (*etcdstore.Store)(nil)
	_ store.Records  = (*etcdstore.Store)(nil)
)

func TestConformance(t *testing.T) {
	t.Parallel()
	connect(t)
	prefix := newPrefix(t)
	storetest.Run(t, func(t *testing.T) store.Counters { return newStore(t, connect(t), prefix) })
	storetest.RunRecords(t, func(t *testing.T) store.Records { return newStore(t, connect(t), prefix) })
	storetest.RunExpiring(t, func(t *testing.T) store.Expiring { return newStore(t, connect(t), prefix) })
}

// Keys and values, byte for byte.
func TestFormat(t *testing.T) {
	t.Parallel()
	ctx, client := testContext(t), connect(t)
	s, err := etcdstore.New(client, etcdstore.Options{})
	require.NoError(t, err)
	key := store.Key{Namespace: unique(), Name: "order_no@20260101"}
	counter, record := "/cosid/"+key.String(), "/cosid-records/"+key.String()
	t.Cleanup(func() {
		remove(t, counter)
		remove(t, record)
	})
	requireHolds := func(key, want string) {
		t.Helper()
		resp, err := client.Get(ctx, key)
		require.NoError(t, err)
		require.Len(t, resp.Kvs, 1)
		require.Equal(t, want, string(resp.Kvs[0].Value))
		require.Zero(t, resp.Kvs[0].Lease, "it expires")
	}
	created, err := s.Create(ctx, key, 0)
	require.NoError(t, err)
	require.True(t, created)
	requireHolds(counter, "0")
	_, err = s.Allocate(ctx, key, 10)
	require.NoError(t, err)
	requireHolds(counter, "10")
	_, err = s.Raise(ctx, key, math.MaxInt64)
	require.NoError(t, err)
	requireHolds(counter, "9223372036854775807")
	require.NoError(t, s.CompareAndSet(ctx, key, nil, []byte("a\x00\xff")))
	requireHolds(record, "a\x00\xff")
}

// A lease that somebody has put on a counter ends with the next change: a counter
// must not expire.
func TestNoLease(t *testing.T) {
	t.Parallel()
	ctx, client, prefix := testContext(t), connect(t), newPrefix(t)
	s := newStore(t, client, prefix)
	lease, err := client.Grant(ctx, 600)
	require.NoError(t, err)
	_, err = client.Put(ctx, prefix+"/shop.orders", "7", clientv3.WithLease(lease.ID))
	require.NoError(t, err)
	_, err = s.Allocate(ctx, orders, 1)
	require.NoError(t, err)
	_, err = client.Revoke(ctx, lease.ID)
	require.NoError(t, err)
	at, err := s.Peek(ctx, orders)
	require.NoError(t, err)
	require.Equal(t, int64(8), at)
}

// What isn't a counter's text is refused by all methods and left alone.
func TestNotACounter(t *testing.T) {
	t.Parallel()
	ctx, client, prefix := testContext(t), connect(t), newPrefix(t)
	s := newStore(t, client, prefix)
	name := prefix + "/shop.orders"
	for _, text := range []string{
		"", "-0", "-1", "-9223372036854775808", "+1", "01", "00", " 1", "1 ", "1.5", "1e3", "0x1", "1_0", "abc", "1\n", "1\x00", "١",
		"9223372036854775808", "10000000000000000000", strings.Repeat("9", 100),
	} {
		_, err := client.Put(ctx, name, text)
		require.NoError(t, err)
		created, err := s.Create(ctx, orders, 1)
		require.NoError(t, err)
		require.False(t, created)
		_, allocateErr := s.Allocate(ctx, orders, 1)
		_, peekErr := s.Peek(ctx, orders)
		_, raiseErr := s.Raise(ctx, orders, math.MaxInt64)
		for _, err := range []error{allocateErr, peekErr, raiseErr} {
			require.ErrorIs(t, err, etcdstore.ErrNotCounter, "%q", text)
			require.NotErrorIs(t, err, store.ErrUnknownOutcome)
			require.ErrorContains(t, err, name)
		}
		resp, err := client.Get(ctx, name)
		require.NoError(t, err)
		require.Equal(t, text, string(resp.Kvs[0].Value))
	}
}

func TestExhaustedExactly(t *testing.T) {
	t.Parallel()
	ctx, client, prefix := testContext(t), connect(t), newPrefix(t)
	s := newStore(t, client, prefix)
	for name, tt := range map[string]struct {
		start, n int64
		fits     bool
	}{
		"last":         {math.MaxInt64 - 1, 1, true},
		"one more":     {math.MaxInt64 - 1, 2, false},
		"full":         {math.MaxInt64, 1, false},
		"all at once":  {0, math.MaxInt64, true},
		"all and one":  {1, math.MaxInt64, false},
		"beyond 1<<53": {math.MaxInt64 - 1<<53, 1<<53 + 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			key := store.Key{Namespace: "full", Name: name}
			_, err := s.Create(ctx, key, tt.start)
			require.NoError(t, err)
			maxID, err := s.Allocate(ctx, key, tt.n)
			if tt.fits {
				require.NoError(t, err)
				require.Equal(t, tt.start+tt.n, maxID)
				return
			}
			require.ErrorIs(t, err, store.ErrExhausted)
			require.ErrorContains(t, err, fmt.Sprintf("it stands at %d, no room for %d more", tt.start, tt.n))
			maxID, err = s.Peek(ctx, key)
			require.NoError(t, err)
			require.Equal(t, tt.start, maxID)
		})
	}
}

// Slashes in a name make no other key of it.
func TestSlashes(t *testing.T) {
	t.Parallel()
	ctx, client, prefix := testContext(t), connect(t), newPrefix(t)
	s := newStore(t, client, prefix)
	for i, key := range []store.Key{{Namespace: "a/b", Name: "c"}, {Namespace: "a", Name: "b/c"}, {Namespace: "/a", Name: "../b"}, {Namespace: "a/", Name: "/"}} {
		created, err := s.Create(ctx, key, int64(i))
		require.NoError(t, err)
		require.True(t, created, "%q", key)
		resp, err := client.Get(ctx, prefix+"/"+key.String())
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(i), string(resp.Kvs[0].Value))
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	ctx, client, prefix := testContext(t), connect(t), newPrefix(t)
	s := newStore(t, client, prefix)
	key := store.Key{Namespace: "n", Name: strings.Repeat("x", etcdstore.MaxKey-2)}
	_, err := s.Create(ctx, key, 0)
	require.NoError(t, err)
	value := make([]byte, etcdstore.MaxValue)
	require.NoError(t, s.CompareAndSet(ctx, key, nil, value))
	require.NoError(t, s.CompareAndSet(ctx, key, value, value))
	require.ErrorIs(t, s.CompareAndSet(ctx, key, nil, make([]byte, etcdstore.MaxValue+1)), store.ErrInvalid)
	key.Name += "x"
	_, err = s.Create(ctx, key, 0)
	require.ErrorIs(t, err, store.ErrInvalid)
}

func TestNew(t *testing.T) {
	t.Parallel()
	client := dialAt(t, address())
	for _, prefix := range []string{"", "a", "/a/b", "/ä ö", strings.Repeat("x", 256)} {
		s, err := etcdstore.New(client, etcdstore.Options{Prefix: prefix})
		require.NoError(t, err, "%q", prefix)
		require.NotNil(t, s)
	}
	for _, prefix := range []string{"/", "/a/", "a\x00", "\xff", strings.Repeat("x", 257)} {
		_, err := etcdstore.New(client, etcdstore.Options{Prefix: prefix})
		require.ErrorIs(t, err, etcdstore.ErrPrefix, "%q", prefix)
	}
	_, err := etcdstore.New(nil, etcdstore.Options{Prefix: "/"})
	require.EqualError(t, err, "etcdstore: unsuitable client: it has no connection, want one of clientv3.New\n"+
		`etcdstore: invalid prefix: "/", want at most 256 bytes of UTF-8 without NUL and without a slash at the end`)
	require.ErrorIs(t, err, etcdstore.ErrClient)
	_, err = etcdstore.New(clientv3.NewCtxClient(t.Context()), etcdstore.Options{})
	require.ErrorIs(t, err, etcdstore.ErrClient)
}

func ExampleNew() {
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{"127.0.0.1:2379"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = client.Close() }()
	counters, err := etcdstore.New(client, etcdstore.Options{Prefix: "/shop/ids"})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = counters.Allocate(context.Background(), store.Key{Namespace: "shop"}, 0)
	fmt.Println(err)
	// Output:
	// store: name is "", want 1 character or more
	// store: n is 0, want 1 to 9223372036854775807
}
