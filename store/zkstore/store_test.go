package zkstore_test

import (
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/storetest"
	"github.com/stampid/go-stamp/store/zkstore"
)

var (
	_ store.Counters = (*zkstore.Store)(nil)
	_ store.Records  = (*zkstore.Store)(nil)
)

func TestConformance(t *testing.T) {
	t.Parallel()
	connect(t)
	root := newRoot(t)
	storetest.Run(t, func(t *testing.T) store.Counters { return newStore(t, connect(t), root) })
	storetest.RunRecords(t, func(t *testing.T) store.Records { return newStore(t, connect(t), root) })
}

// Paths and values, byte for byte: those of counters are CosId's, which are those
// of Curator's DistributedAtomicLong.
func TestFormat(t *testing.T) {
	t.Parallel()
	ctx, conn := testContext(t), connect(t)
	s, err := zkstore.New(conn, zkstore.Options{})
	require.NoError(t, err)
	key := store.Key{Namespace: unique(), Name: "order_no@20260101"}
	counter, record := "/cosid/"+key.String(), "/cosid-records/"+key.String()
	t.Cleanup(func() {
		remove(t, dial(t, address()), counter)
		remove(t, dial(t, address()), record)
	})
	requireHolds := func(path, want string) {
		t.Helper()
		data, stat, err := conn.Get(path)
		require.NoError(t, err)
		require.Equal(t, want, hex.EncodeToString(data))
		require.Zero(t, stat.EphemeralOwner, "it ends with the session")
		acl, _, err := conn.GetACL(path)
		require.NoError(t, err)
		require.Equal(t, zk.WorldACL(zk.PermAll), acl)
	}
	created, err := s.Create(ctx, key, 0)
	require.NoError(t, err)
	require.True(t, created)
	requireHolds(counter, "0000000000000000")
	_, err = s.Allocate(ctx, key, 1<<53+1)
	require.NoError(t, err)
	requireHolds(counter, "0020000000000001")
	_, err = s.Raise(ctx, key, math.MaxInt64)
	require.NoError(t, err)
	requireHolds(counter, "7fffffffffffffff")
	require.NoError(t, s.CompareAndSet(ctx, key, nil, []byte("a\x00\xff")))
	requireHolds(record, "6100ff")
}

// What Java does: it writes with the version that it has read, and under
// contention takes a lock at a node beside the counter. CosId calls that
// "-locker"; Curator makes it a container, with nodes below it.
func TestBesideCurator(t *testing.T) {
	t.Parallel()
	ctx, conn, root := testContext(t), connect(t), newRoot(t)
	s := newStore(t, conn, root)
	_, err := s.Create(ctx, orders, 7)
	require.NoError(t, err)
	node, locker := nodeOf(root), nodeOf(root)+"-locker"
	_, err = conn.CreateContainer(locker, nil, zk.FlagContainer, zk.WorldACL(zk.PermAll))
	require.NoError(t, err)
	_, err = conn.Create(locker+"/lock-", []byte("10.0.0.1"), zk.FlagEphemeralSequential, zk.WorldACL(zk.PermAll))
	require.NoError(t, err)

	data, stat, err := conn.Get(node)
	require.NoError(t, err)
	require.Equal(t, "\x00\x00\x00\x00\x00\x00\x00\x07", string(data))
	_, err = conn.Set(node, []byte("\x00\x00\x00\x00\x00\x00\x01\x00"), stat.Version)
	require.NoError(t, err)
	maxID, err := s.Allocate(ctx, orders, 1)
	require.NoError(t, err)
	require.Equal(t, int64(257), maxID)

	// The lock isn't a counter. A counter with its name is refused, not made of it.
	lockerKey := store.Key{Namespace: "shop", Name: "orders-locker"}
	created, err := s.Create(ctx, lockerKey, 0)
	require.NoError(t, err)
	require.False(t, created)
	_, err = s.Allocate(ctx, lockerKey, 1)
	require.ErrorIs(t, err, zkstore.ErrNotCounter)

	// Java finds the number that we left, and its version moves with ours.
	data, after, err := conn.Get(node)
	require.NoError(t, err)
	require.Equal(t, "\x00\x00\x00\x00\x00\x00\x01\x01", string(data))
	require.Equal(t, stat.Version+2, after.Version)
}

// What isn't a counter's bytes is refused by all methods and left alone.
func TestNotACounter(t *testing.T) {
	t.Parallel()
	ctx, conn, root := testContext(t), connect(t), newRoot(t)
	s := newStore(t, conn, root)
	_, err := s.Create(ctx, orders, 0)
	require.NoError(t, err)
	for _, data := range []string{
		"", "1", "12345678901", "\x00\x00\x00\x00\x00\x00\x01", "\x00\x00\x00\x00\x00\x00\x00\x00\x01",
		"\x80\x00\x00\x00\x00\x00\x00\x00", "\xff\xff\xff\xff\xff\xff\xff\xff",
	} {
		_, err := conn.Set(nodeOf(root), []byte(data), -1)
		require.NoError(t, err)
		created, err := s.Create(ctx, orders, 1)
		require.NoError(t, err)
		require.False(t, created)
		_, allocateErr := s.Allocate(ctx, orders, 1)
		_, peekErr := s.Peek(ctx, orders)
		_, raiseErr := s.Raise(ctx, orders, math.MaxInt64)
		for _, err := range []error{allocateErr, peekErr, raiseErr} {
			require.ErrorIs(t, err, zkstore.ErrNotCounter, "%q", data)
			require.NotErrorIs(t, err, store.ErrUnknownOutcome)
			require.ErrorContains(t, err, nodeOf(root))
		}
		got, _, err := conn.Get(nodeOf(root))
		require.NoError(t, err)
		require.Equal(t, data, string(got))
	}
}

func TestExhaustedExactly(t *testing.T) {
	t.Parallel()
	ctx, conn, root := testContext(t), connect(t), newRoot(t)
	s := newStore(t, conn, root)
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

// All that passes the checks of names is taken by the server, up to the bounds.
func TestNames(t *testing.T) {
	t.Parallel()
	ctx, conn, root := testContext(t), connect(t), newRoot(t)
	s := newStore(t, conn, root)
	for _, r := range []rune{' ', '~', 0xa0, 0xd7ff, 0xf900, 0xffef, '.', '@', '#', '%', '\\', '\'', '$'} {
		key := store.Key{Namespace: string(r), Name: string(r)}
		created, err := s.Create(ctx, key, 0)
		require.NoError(t, err, "%U", r)
		require.True(t, created, "%U", r)
		maxID, err := s.Allocate(ctx, key, int64(r))
		require.NoError(t, err, "%U", r)
		require.Equal(t, int64(r), maxID, "%U", r)
	}
	for _, r := range []rune{1, 0x1f, '\n', '\t', 0x7f, 0x80, 0x9f, 0xe000, 0xf8ff, 0xfff0, 0xfffd, 0xffff, 0x10000, '🧾', 0x10ffff} {
		for field, key := range map[string]store.Key{
			"namespace": {Namespace: "a" + string(r), Name: "b"},
			"name":      {Namespace: "a", Name: string(r) + "b"},
		} {
			_, err := s.Create(ctx, key, 0)
			var argument *store.ArgumentError
			require.ErrorAs(t, err, &argument, "%U", r)
			require.Equal(t, field, argument.Field, "%U", r)
		}
	}
	_, err := s.Create(ctx, store.Key{Namespace: "a/b", Name: "c\n"}, -1)
	require.EqualError(t, err, `store: namespace is "a/b", want none of "/"`+"\n"+
		"store: start is -1, want 0 to 9223372036854775807\n"+
		`store: name is "c\n", want no control characters, none from U+E000 to U+F8FF and none above U+FFEF`)
}

func TestLimits(t *testing.T) {
	t.Parallel()
	ctx, conn, root := testContext(t), connect(t), newRoot(t)
	s := newStore(t, conn, root)
	key := store.Key{Namespace: "n", Name: strings.Repeat("x", zkstore.MaxKey-2)}
	_, err := s.Create(ctx, key, 0)
	require.NoError(t, err)
	require.NoError(t, s.CompareAndSet(ctx, key, nil, make([]byte, zkstore.MaxValue)))
	require.ErrorIs(t, s.CompareAndSet(ctx, key, nil, make([]byte, zkstore.MaxValue+1)), store.ErrInvalid)
	key.Name += "x"
	_, err = s.Create(ctx, key, 0)
	require.ErrorIs(t, err, store.ErrInvalid)
}

// A node without data, as a parent has, is no record.
func TestEmptyRecord(t *testing.T) {
	t.Parallel()
	ctx, conn, root := testContext(t), connect(t), newRoot(t)
	s := newStore(t, conn, root)
	require.NoError(t, s.CompareAndSet(ctx, orders, nil, []byte("a")))
	_, err := conn.Set(root+"/cosid-records/"+orders.String(), nil, -1)
	require.NoError(t, err)
	value, err := s.Get(ctx, orders)
	require.NoError(t, err)
	require.Nil(t, value)
	require.ErrorIs(t, s.CompareAndSet(ctx, orders, []byte("a"), []byte("b")), store.ErrConflict)
	require.NoError(t, s.CompareAndSet(ctx, orders, nil, []byte("b")))
}
