package zkstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/zkstore"
)

// through returns a store whose client goes through a proxy, and one beside it,
// with the counter orders at 0 and no record.
func through(t *testing.T) (lossy, direct *zkstore.Store, p *proxy) {
	t.Helper()
	conn, root := connect(t), newRoot(t)
	p = newProxy(t, address())
	bad := dial(t, p.address())
	require.NoError(t, answers(bad))
	lossy, direct = newStore(t, bad, root), newStore(t, conn, root)
	_, err := direct.Create(testContext(t), orders, 0)
	require.NoError(t, err)
	// So that the nodes above a record are there.
	require.NoError(t, direct.CompareAndSet(testContext(t), store.Key{Namespace: "a", Name: "b"}, nil, []byte("c")))
	return lossy, direct, p
}

var fresh = store.Key{Namespace: "shop", Name: "new"}

// writes are the methods that change something, in an order in which each
// changes something.
var writes = []struct {
	name string
	make func(ctx context.Context, s *zkstore.Store) error
	// seen tells whether it has happened.
	seen func(ctx context.Context, s *zkstore.Store) (bool, error)
}{
	{
		"create",
		func(ctx context.Context, s *zkstore.Store) error {
			_, err := s.Create(ctx, fresh, 7)
			return err
		},
		func(ctx context.Context, s *zkstore.Store) (bool, error) {
			created, err := s.Create(ctx, fresh, 8)
			return !created, err
		},
	},
	{
		"allocate",
		func(ctx context.Context, s *zkstore.Store) error {
			_, err := s.Allocate(ctx, orders, 10)
			return err
		},
		func(ctx context.Context, s *zkstore.Store) (bool, error) {
			at, err := s.Peek(ctx, orders)
			return at == 10, err
		},
	},
	{
		"raise",
		func(ctx context.Context, s *zkstore.Store) error {
			_, err := s.Raise(ctx, orders, 1000)
			return err
		},
		func(ctx context.Context, s *zkstore.Store) (bool, error) {
			at, err := s.Peek(ctx, orders)
			return at == 1000, err
		},
	},
	{
		"compare and set",
		func(ctx context.Context, s *zkstore.Store) error {
			return s.CompareAndSet(ctx, orders, nil, []byte("mine"))
		},
		func(ctx context.Context, s *zkstore.Store) (bool, error) {
			got, err := s.Get(ctx, orders)
			return string(got) == "mine", err
		},
	},
}

// A connection that breaks after the write: it took place once, or not at all,
// the error says that nobody knows, and nothing is sent again.
func TestLostConnection(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]fate{"request": loseRequest, "reply": loseReply} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := testContext(t)
			lossy, direct, p := through(t)
			for _, write := range writes {
				p.set(f, opCreate, opSetData)
				before := p.requests.Load()
				err := write.make(ctx, lossy)
				require.ErrorIs(t, err, store.ErrUnknownOutcome, write.name)
				require.ErrorIs(t, err, zk.ErrConnectionClosed, write.name)
				require.ErrorContains(t, err, "zkstore: "+write.name)
				require.Equal(t, before+1, p.requests.Load(), "%s was sent again", write.name)
				p.set(pass)
				seen, err := write.seen(ctx, direct)
				require.NoError(t, err)
				require.Equal(t, f == loseReply, seen, write.name)
			}
			maxID, err := lossy.Allocate(ctx, orders, 5)
			require.NoError(t, err, "after the connection was lost")
			at, err := direct.Peek(ctx, orders)
			require.NoError(t, err)
			require.Equal(t, at, maxID)
		})
	}
}

// A read changes nothing, so that its failure leaves no doubt, whatever the
// method was going to do.
func TestLostRead(t *testing.T) {
	t.Parallel()
	ctx := testContext(t)
	lossy, direct, p := through(t)
	_, err := lossy.Peek(ctx, orders)
	require.NoError(t, err)
	for _, write := range writes {
		code := uint32(opSync)
		if write.name == "allocate" { // without a conflict it needs none
			code = opGetData
		}
		p.set(loseReply, code)
		err := write.make(ctx, lossy)
		require.Error(t, err, write.name)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome, write.name)
	}
	_, err = lossy.Peek(ctx, orders)
	require.Error(t, err)
	require.NotErrorIs(t, err, store.ErrUnknownOutcome)
	at, err := direct.Peek(ctx, orders)
	require.NoError(t, err)
	require.Zero(t, at)
}

// A call that is cancelled while the server hangs ends at once: the client alone
// would wait until the session is in doubt.
func TestHungServer(t *testing.T) {
	t.Parallel()
	for name, codes := range map[string][]uint32{"write": {opCreate, opSetData}, "read": {opGetData}, "sync": {opSync}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lossy, _, p := through(t)
			p.set(hang, codes...)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-p.answers // the server has done it
				cancel()
			}()
			_, err := lossy.Raise(ctx, orders, 10)
			require.ErrorIs(t, err, context.Canceled)
			require.NotErrorIs(t, err, zk.ErrConnectionClosed, "it waited for the client")
			require.Equal(t, name == "write", isUnknown(err), "%v", err)

			// From now on the connection is silent, and nothing is sent.
			short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			_, err = lossy.Allocate(short, orders, 10)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.False(t, isUnknown(err), "%v", err)
		})
	}
}

// A write that arrives after its caller has left and others have been served
// has no effect; one that arrives before them burns its numbers.
func TestLateWrite(t *testing.T) {
	t.Parallel()
	for name, overtaken := range map[string]bool{"overtaken": true, "in time": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := testContext(t)
			lossy, direct, p := through(t)
			p.set(hold, opSetData)
			short, cancel := context.WithCancel(ctx)
			go func() {
				<-p.held
				cancel()
			}()
			_, err := lossy.Allocate(short, orders, 10)
			require.ErrorIs(t, err, store.ErrUnknownOutcome)
			require.ErrorIs(t, err, context.Canceled)
			p.set(pass)
			if overtaken {
				maxID, err := direct.Allocate(ctx, orders, 10)
				require.NoError(t, err)
				require.Equal(t, int64(10), maxID)
			}
			close(p.release)
			// This one is behind it on the same connection.
			maxID, err := lossy.Allocate(ctx, orders, 10)
			require.NoError(t, err)
			require.Equal(t, int64(20), maxID)
			at, err := direct.Peek(ctx, orders)
			require.NoError(t, err)
			require.Equal(t, int64(20), at)
		})
	}
}

// Nobody at that address: the client gives requests up that it couldn't send.
func TestNoServer(t *testing.T) {
	t.Parallel()
	s := newStore(t, dial(t, "127.0.0.1:"+freePort(t)), "")
	for _, write := range writes {
		err := write.make(testContext(t), s)
		require.ErrorIs(t, err, zk.ErrNoServer, write.name)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome, write.name)
	}
}

func TestClosedClient(t *testing.T) {
	t.Parallel()
	conn := connect(t)
	conn.Close()
	s := newStore(t, conn, "/"+unique())
	for _, write := range writes {
		err := write.make(testContext(t), s)
		require.ErrorIs(t, err, zk.ErrConnectionClosed, write.name)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome, write.name)
	}
}
