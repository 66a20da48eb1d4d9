package zkstore_test

import (
	"math"
	"testing"

	"github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/zkstore"
)

// A server that is killed keeps what it acknowledged, and the connection finds
// it again.
func TestRestart(t *testing.T) {
	t.Parallel()
	ctx, server := testContext(t), newProcess(t, "")
	conn := dialBy(t, server.address(), server.dial)
	require.NoError(t, answers(conn))
	s := newStore(t, conn, "")
	_, err := s.Create(ctx, orders, 1<<53)
	require.NoError(t, err)
	maxID, err := s.Allocate(ctx, orders, 10)
	require.NoError(t, err)
	require.Equal(t, int64(1<<53+10), maxID)
	require.NoError(t, s.CompareAndSet(ctx, orders, nil, []byte("mine")))

	server.kill()
	for _, write := range writes[:2] {
		// Each of them reads first.
		err := write.make(ctx, s)
		require.Error(t, err, write.name)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome, write.name)
	}
	server.start()
	require.Eventually(t, func() bool { return conn.State() == zk.StateHasSession }, patience, tick)
	maxID, err = s.Allocate(ctx, orders, 10)
	require.NoError(t, err)
	require.Equal(t, int64(1<<53+20), maxID)
	value, err := s.Get(ctx, orders)
	require.NoError(t, err)
	require.Equal(t, "mine", string(value))
	created, err := s.Create(ctx, orders, 0)
	require.NoError(t, err)
	require.False(t, created)
}

// A server that was restored from a copy gives numbers out again: the store
// can't know. One that lost all says so, and nothing is begun anew.
func TestRolledBack(t *testing.T) {
	t.Parallel()
	ctx, conn, root := testContext(t), connect(t), newRoot(t)
	s := newStore(t, conn, root)
	_, err := s.Create(ctx, orders, 0)
	require.NoError(t, err)
	_, err = s.Allocate(ctx, orders, math.MaxInt64-1)
	require.NoError(t, err)
	remove(t, conn, nodeOf(root))
	_, allocateErr := s.Allocate(ctx, orders, 1)
	_, raiseErr := s.Raise(ctx, orders, 1)
	_, peekErr := s.Peek(ctx, orders)
	for _, err := range []error{allocateErr, raiseErr, peekErr} {
		require.ErrorIs(t, err, store.ErrNoCounter)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome)
	}
	_, _, err = conn.Get(nodeOf(root))
	require.ErrorIs(t, err, zk.ErrNoNode)
}

// The rights that the package's comment names are enough, and needed.
func TestRights(t *testing.T) {
	t.Parallel()
	ctx, root := testContext(t), newRoot(t)
	owner, other := connect(t), connect(t)
	require.NoError(t, owner.AddAuth("digest", []byte("ids:secret")))
	acl := append(zk.DigestACL(zk.PermRead|zk.PermWrite|zk.PermCreate, "ids", "secret"),
		zk.WorldACL(zk.PermRead|zk.PermDelete)...) // so that the test can clean up
	s, err := zkstore.New(owner, zkstore.Options{Chroot: root, Prefix: "/a/b", ACL: acl})
	require.NoError(t, err)
	acl[0].Perms = 0 // the store has a copy
	foreign, err := zkstore.New(other, zkstore.Options{Chroot: root, Prefix: "/a/b"})
	require.NoError(t, err)
	_, err = s.Create(ctx, orders, 0)
	require.NoError(t, err)
	for _, write := range writes {
		require.NoError(t, write.make(ctx, s), write.name)
	}
	got, _, err := other.GetACL(root + "/a/b/" + orders.String())
	require.NoError(t, err)
	require.Len(t, got, 2)
	require.Equal(t, "digest", got[0].Scheme)
	require.Equal(t, int32(zk.PermRead|zk.PermWrite|zk.PermCreate), got[0].Perms)

	at, err := foreign.Peek(ctx, orders)
	require.NoError(t, err)
	require.Equal(t, int64(1000), at)
	_, allocateErr := foreign.Allocate(ctx, orders, 1)
	_, raiseErr := foreign.Raise(ctx, orders, 5000)
	_, createErr := foreign.Create(ctx, store.Key{Namespace: "not", Name: "mine"}, 0)
	setErr := foreign.CompareAndSet(ctx, orders, []byte("mine"), []byte("yours"))
	for _, err := range []error{allocateErr, raiseErr, createErr, setErr} {
		require.ErrorIs(t, err, zk.ErrNoAuth)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome)
	}
}

// Whoever may not create nodes at the top needs no right to, once they are there.
func TestParentsThatAreThere(t *testing.T) {
	t.Parallel()
	ctx, conn, root := testContext(t), connect(t), newRoot(t)
	_, err := conn.Create(root, nil, zk.FlagPersistent, zk.WorldACL(zk.PermRead|zk.PermDelete))
	require.NoError(t, err)
	s := newStore(t, conn, root)
	_, err = s.Create(ctx, orders, 0)
	require.ErrorIs(t, err, zk.ErrNoAuth)
	require.NotErrorIs(t, err, store.ErrUnknownOutcome)

	open := newRoot(t)
	_, err = conn.Create(open, nil, zk.FlagPersistent, zk.WorldACL(zk.PermAll))
	require.NoError(t, err)
	_, err = conn.Create(open+"/ids", nil, zk.FlagPersistent, zk.WorldACL(zk.PermAll))
	require.NoError(t, err)
	_, err = conn.SetACL(open, zk.WorldACL(zk.PermRead|zk.PermDelete|zk.PermAdmin), -1)
	require.NoError(t, err)
	created, err := newStore(t, conn, open+"/ids").Create(ctx, orders, 0)
	require.NoError(t, err)
	require.True(t, created)
}
