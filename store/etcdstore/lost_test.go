package etcdstore_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/etcdstore"
)

// through returns a store whose client goes through a relay, and one beside it,
// with the counter orders at 0 and no record.
func through(t *testing.T) (lossy, direct *etcdstore.Store, r *relay) {
	t.Helper()
	client, prefix := connect(t), newPrefix(t)
	r = newRelay(t, address())
	lossy, direct = newStore(t, dialAt(t, r.address()), prefix), newStore(t, client, prefix)
	_, err := direct.Create(testContext(t), orders, 0)
	require.NoError(t, err)
	return lossy, direct, r
}

var fresh = store.Key{Namespace: "shop", Name: "new"}

// changes are the methods that change something, in an order in which each of
// them does.
var changes = []struct {
	name string
	make func(ctx context.Context, s *etcdstore.Store) error
	// seen tells whether it has happened.
	seen func(ctx context.Context, s *etcdstore.Store) (bool, error)
}{
	{
		"create",
		func(ctx context.Context, s *etcdstore.Store) error {
			_, err := s.Create(ctx, fresh, 7)
			return err
		},
		func(ctx context.Context, s *etcdstore.Store) (bool, error) {
			created, err := s.Create(ctx, fresh, 8)
			return !created, err
		},
	},
	{
		"allocate",
		func(ctx context.Context, s *etcdstore.Store) error {
			_, err := s.Allocate(ctx, orders, 10)
			return err
		},
		func(ctx context.Context, s *etcdstore.Store) (bool, error) {
			at, err := s.Peek(ctx, orders)
			return at == 10, err
		},
	},
	{
		"raise",
		func(ctx context.Context, s *etcdstore.Store) error {
			_, err := s.Raise(ctx, orders, 1000)
			return err
		},
		func(ctx context.Context, s *etcdstore.Store) (bool, error) {
			at, err := s.Peek(ctx, orders)
			return at == 1000, err
		},
	},
	{
		"compare and set",
		func(ctx context.Context, s *etcdstore.Store) error {
			return s.CompareAndSet(ctx, orders, nil, []byte("mine"))
		},
		func(ctx context.Context, s *etcdstore.Store) (bool, error) {
			got, err := s.Get(ctx, orders)
			return string(got) == "mine", err
		},
	},
}

// A connection that breaks after the transaction, or a server that calls it off,
// late or without space for it, as etcd does after it has applied it: it took place once, or not at all, the error says that nobody knows,
// and nothing is sent again, neither here nor by the client.
func TestLostReply(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]fate{
		"request": loseRequest, "reply": loseReply, "cancelled": cancelled, "late": late, "full": full,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := testContext(t)
			lossy, direct, r := through(t)
			for _, change := range changes {
				r.set(f)
				before := r.calls.Load()
				err := change.make(ctx, lossy)
				require.ErrorIs(t, err, store.ErrUnknownOutcome, change.name)
				require.ErrorContains(t, err, "etcdstore: "+change.name)
				require.NotErrorIs(t, err, context.Canceled, "the caller's context goes on")
				require.Equal(t, before+1, r.calls.Load(), "%s was sent again", change.name)
				r.set(pass)
				seen, err := change.seen(ctx, direct)
				require.NoError(t, err)
				require.Equal(t, f != loseRequest, seen, change.name)
			}
			maxID, err := lossy.Allocate(ctx, orders, 5)
			require.NoError(t, err, "after the connection was lost")
			at, err := direct.Peek(ctx, orders)
			require.NoError(t, err)
			require.Equal(t, at, maxID)
		})
	}
}

// A token that the server has forgotten is renewed by the client, and the
// transaction, which was refused, is sent again.
func TestForgottenToken(t *testing.T) {
	t.Parallel()
	_, _, r := through(t)
	client := dial(t, clientv3.Config{Endpoints: []string{r.address()}, Username: "ids", Password: "secret", DialTimeout: patience})
	s := newStore(t, client, newPrefix(t))
	r.set(oldToken)
	require.NoError(t, s.CompareAndSet(testContext(t), orders, nil, []byte("mine")))
	require.EqualValues(t, 2, r.calls.Load())
}

// A read that is lost is repeated by the client.
func TestLostRead(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	lossy, _, r := through(t)
	r.ranges.Store(int32(loseReply))
	go func() {
		for range 3 {
			<-r.answers
		}
		r.ranges.Store(int32(pass))
	}()
	maxID, err := lossy.Allocate(ctx, orders, 10)
	require.NoError(t, err)
	require.Equal(t, int64(10), maxID)
}

// A call that is cancelled while the server hangs ends at once.
func TestHungServer(t *testing.T) {
	t.Parallel()
	for _, change := range changes {
		t.Run(change.name, func(t *testing.T) {
			t.Parallel()
			lossy, direct, r := through(t)
			r.set(hang)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-r.answers // the server has done it
				cancel()
			}()
			err := change.make(ctx, lossy)
			require.ErrorIs(t, err, store.ErrUnknownOutcome)
			require.ErrorIs(t, err, context.Canceled)
			seen, err := change.seen(testContext(t), direct)
			require.NoError(t, err)
			require.True(t, seen)
		})
	}
	t.Run("read", func(t *testing.T) {
		t.Parallel()
		lossy, _, r := through(t)
		r.ranges.Store(int32(hang))
		for _, change := range changes[:3] { // the last doesn't read
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-r.answers
				cancel()
			}()
			err := change.make(ctx, lossy)
			require.ErrorIs(t, err, context.Canceled, change.name)
			require.NotErrorIs(t, err, store.ErrUnknownOutcome, change.name)
		}
		require.Zero(t, r.calls.Load())
	})
}

// A server that takes connections and says nothing, and one that isn't there.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = silent.Close() })
	for name, address := range map[string]string{"silent": silent.Addr().String(), "absent": "127.0.0.1:" + freePort(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t, dialAt(t, address), "")
			for _, change := range changes {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
				defer cancel()
				err := change.make(ctx, s)
				require.ErrorIs(t, err, context.DeadlineExceeded, change.name)
				// Nobody can tell about the one that doesn't begin with a read.
				require.Equal(t, change.name == "compare and set", isUnknown(err), change.name)
			}
		})
	}
}

// A transaction that arrives after its caller has left and others have been
// served has no effect; one that arrives before them burns its numbers.
func TestLateTransaction(t *testing.T) {
	t.Parallel()
	for name, overtaken := range map[string]bool{"overtaken": true, "in time": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := testContext(t)
			lossy, direct, r := through(t)
			r.set(hold)
			short, cancel := context.WithCancel(ctx)
			go func() {
				<-r.held
				cancel()
			}()
			_, err := lossy.Allocate(short, orders, 10)
			require.ErrorIs(t, err, store.ErrUnknownOutcome)
			require.ErrorIs(t, err, context.Canceled)
			if overtaken {
				maxID, err := direct.Allocate(ctx, orders, 10)
				require.NoError(t, err)
				require.Equal(t, int64(10), maxID)
			}
			close(r.release)
			within(t, r.answers, "the late transaction")
			maxID, err := direct.Allocate(ctx, orders, 10)
			require.NoError(t, err)
			require.Equal(t, int64(20), maxID)
		})
	}
}

func TestClosedClient(t *testing.T) {
	t.Parallel()
	client := dial(t, clientv3.Config{Endpoints: []string{address()}})
	s := newStore(t, client, "/"+unique())
	require.NoError(t, client.Close())
	for _, change := range changes {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		err := change.make(ctx, s)
		require.Error(t, err, change.name)
		require.Equal(t, change.name == "compare and set", isUnknown(err), change.name)
	}
}
