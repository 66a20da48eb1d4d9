package etcdstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/etcdstore"
)

// A server that is killed keeps what it acknowledged, and the client finds it
// again.
func TestRestart(t *testing.T) {
	t.Parallel()
	ctx, server := testContext(t), newProcess(t)
	s := newStore(t, dialAt(t, server.url), "")
	_, err := s.Create(ctx, orders, 1<<53)
	require.NoError(t, err)
	maxID, err := s.Allocate(ctx, orders, 10)
	require.NoError(t, err)
	require.Equal(t, int64(1<<53+10), maxID)
	require.NoError(t, s.CompareAndSet(ctx, orders, nil, []byte("mine")))

	server.kill()
	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	_, err = s.Allocate(short, orders, 10)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NotErrorIs(t, err, store.ErrUnknownOutcome)
	// This one waits for the server.
	waiting := make(chan error, 1)
	go func() {
		_, err := s.Allocate(ctx, orders, 10)
		waiting <- err
	}()
	server.start()
	require.NoError(t, <-waiting)
	maxID, err = s.Allocate(ctx, orders, 10)
	require.NoError(t, err)
	require.Equal(t, int64(1<<53+30), maxID)
	value, err := s.Get(ctx, orders)
	require.NoError(t, err)
	require.Equal(t, "mine", string(value))
	created, err := s.Create(ctx, orders, 0)
	require.NoError(t, err)
	require.False(t, created)
}

// A counter that somebody deleted is missing, not begun anew.
func TestDeleted(t *testing.T) {
	t.Parallel()
	ctx, client, prefix := testContext(t), connect(t), newPrefix(t)
	s := newStore(t, client, prefix)
	_, err := s.Create(ctx, orders, 7)
	require.NoError(t, err)
	_, err = client.Delete(ctx, prefix+"/shop.orders")
	require.NoError(t, err)
	_, allocateErr := s.Allocate(ctx, orders, 1)
	_, raiseErr := s.Raise(ctx, orders, 1)
	_, peekErr := s.Peek(ctx, orders)
	for _, err := range []error{allocateErr, raiseErr, peekErr} {
		require.ErrorIs(t, err, store.ErrNoCounter)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome)
	}
	resp, err := client.Get(ctx, prefix, clientv3.WithPrefix())
	require.NoError(t, err)
	require.Empty(t, resp.Kvs)
}

// A used up quota fails changes, and says so in etcd's words. Reads go on.
func TestNoSpace(t *testing.T) {
	t.Parallel()
	ctx, server := testContext(t), newProcess(t, "--quota-backend-bytes", "1000000")
	client := dialAt(t, server.url)
	s := newStore(t, client, "")
	_, err := s.Create(ctx, orders, 5)
	require.NoError(t, err)
	var old []byte
	for i := range 1000 {
		value := make([]byte, etcdstore.MaxValue)
		value[0] = byte(i)
		if err = s.CompareAndSet(ctx, orders, old, value); err != nil {
			break
		}
		old = value
	}
	require.ErrorIs(t, err, rpctypes.ErrNoSpace)
	for _, change := range changes[:3] {
		err := change.make(ctx, s)
		require.ErrorIs(t, err, rpctypes.ErrNoSpace, change.name)
		require.ErrorIs(t, err, store.ErrUnknownOutcome, change.name)
		var answer rpctypes.EtcdError
		require.ErrorAs(t, err, &answer, change.name)
	}
	at, err := s.Peek(ctx, orders)
	require.NoError(t, err)
	require.Equal(t, int64(5), at)
}

// The rights that the package's comment names are enough, and needed.
func TestRights(t *testing.T) {
	t.Parallel()
	ctx, server := testContext(t), newProcess(t)
	admin := dialAt(t, server.url)
	_, err := admin.UserAdd(ctx, "root", "admin")
	require.NoError(t, err)
	_, err = admin.UserGrantRole(ctx, "root", "root")
	require.NoError(t, err)
	_, err = admin.RoleAdd(ctx, "ids")
	require.NoError(t, err)
	for from, to := range map[string]string{"/cosid/": "/cosid0", "/cosid-records/": "/cosid-records0"} {
		_, err = admin.RoleGrantPermission(ctx, "ids", from, to, clientv3.PermissionType(clientv3.PermReadWrite))
		require.NoError(t, err)
	}
	_, err = admin.UserAdd(ctx, "ids", "secret")
	require.NoError(t, err)
	_, err = admin.UserGrantRole(ctx, "ids", "ids")
	require.NoError(t, err)
	_, err = admin.AuthEnable(ctx)
	require.NoError(t, err)

	client := dial(t, clientv3.Config{Endpoints: []string{server.url}, Username: "ids", Password: "secret", DialTimeout: patience})
	s := newStore(t, client, "")
	_, err = s.Create(ctx, orders, 0)
	require.NoError(t, err)
	for _, change := range changes {
		require.NoError(t, change.make(ctx, s), change.name)
	}
	at, err := s.Peek(ctx, orders)
	require.NoError(t, err)
	require.Equal(t, int64(1000), at)

	foreign := newStore(t, client, "/other")
	_, err = foreign.Peek(ctx, orders)
	require.ErrorIs(t, err, rpctypes.ErrPermissionDenied)
	err = foreign.CompareAndSet(ctx, orders, nil, []byte("x"))
	require.ErrorIs(t, err, rpctypes.ErrPermissionDenied)
	require.NotErrorIs(t, err, store.ErrUnknownOutcome)
	err = newStore(t, admin, "").CompareAndSet(ctx, orders, []byte("mine"), []byte("x"))
	require.ErrorIs(t, err, rpctypes.ErrUserEmpty)
	require.NotErrorIs(t, err, store.ErrUnknownOutcome)
}
