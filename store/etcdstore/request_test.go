package etcdstore

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/stampid/go-stamp/store"
)

var orders = store.Key{Namespace: "shop", Name: "orders"}

// fake is a cluster of one key that holds "0". What becomes of a transaction is
// decided by txn.
type fake struct {
	clientv3.KV
	txn   func() (succeeded bool, err error)
	count int
}

// Get refuses options: those of a serializable read, or of an old revision.
func (f *fake) Get(_ context.Context, _ string, options ...clientv3.OpOption) (*clientv3.GetResponse, error) {
	if len(options) > 0 {
		return nil, errors.New("a read that may be late")
	}
	return &clientv3.GetResponse{Kvs: []*mvccpb.KeyValue{{Value: []byte("0")}}}, nil
}

func (f *fake) Txn(context.Context) clientv3.Txn { return (*fakeTxn)(f) }

type fakeTxn fake

func (f *fakeTxn) If(...clientv3.Cmp) clientv3.Txn { return f }

func (f *fakeTxn) Then(...clientv3.Op) clientv3.Txn { return f }

func (f *fakeTxn) Else(...clientv3.Op) clientv3.Txn { return f }

func (f *fakeTxn) Commit() (*clientv3.TxnResponse, error) {
	f.count++
	succeeded, err := f.txn()
	return (*clientv3.TxnResponse)(&etcdserverpb.TxnResponse{Succeeded: succeeded}), err
}

// What an error of a transaction says about it.
func TestVerdict(t *testing.T) {
	for _, tt := range []struct {
		err     error
		unknown bool
	}{
		{rpctypes.ErrNoSpace, true},
		{rpctypes.ErrTimeout, true},
		{rpctypes.ErrTimeoutDueToLeaderFail, true},
		{rpctypes.ErrTimeoutDueToConnectionLost, true},
		{rpctypes.ErrLeaderChanged, true},
		{rpctypes.ErrNoLeader, true},
		{rpctypes.ErrStopped, true},
		{rpctypes.ErrUnhealthy, true},
		{rpctypes.ErrCorrupt, true},
		{status.Error(codes.Unavailable, "error reading from server: EOF"), true},
		{status.Error(codes.Canceled, "etcdserver: request canceled"), true},
		{status.Error(codes.ResourceExhausted, "grpc: received message larger than max (9 vs. 8)"), true},
		{io.ErrUnexpectedEOF, true},
		{rpctypes.ErrPermissionDenied, false},
		{rpctypes.ErrUserEmpty, false},
		{rpctypes.ErrInvalidAuthToken, false},
		{rpctypes.ErrAuthOldRevision, false},
		{rpctypes.ErrAuthFailed, false},
		{rpctypes.ErrTooManyRequests, false},
		{rpctypes.ErrRequestTooLarge, false},
	} {
		f := &fake{txn: func() (bool, error) { return false, tt.err }}
		s := &Store{kv: f, prefix: "/cosid"}
		_, err := s.Allocate(t.Context(), orders, 1)
		require.ErrorIs(t, err, tt.err)
		require.Equal(t, tt.unknown, errors.Is(err, store.ErrUnknownOutcome), "%v", tt.err)
		require.Equal(t, 1, f.count, "%v: sent again", tt.err)
		require.Zero(t, s.Conflicts())
		require.ErrorContains(t, err, `etcdstore: allocate "/cosid/shop.orders": `)
	}
}

func TestContention(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{txn: func() (bool, error) { return false, nil }}
		s, start := &Store{kv: f, prefix: "/cosid"}, time.Now()
		_, err := s.Allocate(t.Context(), orders, 1)
		require.ErrorIs(t, err, ErrContention)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome)
		require.EqualError(t, err, `etcdstore: allocate "/cosid/shop.orders": etcdstore: too much contention: 40 tries`)
		require.Equal(t, maxTries, f.count)
		require.EqualValues(t, maxTries, s.Conflicts())
		require.Positive(t, time.Since(start), "without a pause they would be in step")
		require.Less(t, time.Since(start), maxTries*longestPause)

		// Between two tries nothing is under way.
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = s.Allocate(ctx, orders, 1)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, store.ErrUnknownOutcome)

		// A record isn't tried again: it isn't what its author took it for.
		f.count = 0
		require.ErrorIs(t, s.CompareAndSet(t.Context(), orders, nil, []byte("a")), store.ErrConflict)
		require.Equal(t, 1, f.count)
	})
}

// tardy is a context whose deadline has passed, and which doesn't know it yet.
type tardy struct{ context.Context }

func (tardy) Err() error { return nil }

func TestWithEnd(t *testing.T) {
	over, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	lost := status.Error(codes.DeadlineExceeded, "context deadline exceeded")
	for name, tt := range map[string]struct {
		ctx  context.Context
		err  error
		want string
	}{
		"goes on":             {t.Context(), lost, lost.Error()},
		"over":                {over, lost, "context deadline exceeded: " + lost.Error()},
		"over, doesn't know":  {tardy{over}, lost, "context deadline exceeded: " + lost.Error()},
		"over, has been said": {over, context.DeadlineExceeded, "context deadline exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			err := withEnd(tt.ctx, tt.err)
			require.EqualError(t, err, tt.want)
			require.ErrorIs(t, err, tt.err)
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"", "0", "-0", "007", "9223372036854775807", "9223372036854775808", "1e3", " 1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := parse(text)
		if err != nil {
			require.ErrorIs(t, err, ErrNotCounter)
			return
		}
		require.GreaterOrEqual(t, n, int64(0))
		require.Equal(t, text, format(n))
	})
}
