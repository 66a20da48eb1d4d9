package etcdstore_test

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

// fate is what a relay does with a call.
type fate int32

const (
	pass        fate = iota
	loseRequest      // cut the connections in place of sending it on
	loseReply        // send it on, and cut the connections when the answer comes
	hang             // send it on, and keep the answer
	hold             // keep the call until the relay is told to release it
	cancelled        // send it on, and answer that it was cancelled
	late             // send it on, and answer that its deadline is over
	full             // send it on, and answer that there is no space
	oldToken         // refuse it for its token, and let the next one pass
)

// relay is an etcd that has another one do the work.
type relay struct {
	etcdserverpb.UnimplementedKVServer
	etcdserverpb.UnimplementedAuthServer
	server   etcdserverpb.KVClient
	listener net.Listener

	ranges, txns   atomic.Int32 // fates
	calls          atomic.Int64 // transactions that have come by
	answers        chan struct{}
	held           chan struct{}
	release, close chan struct{} // closed: calls go on; calls end

	mu    sync.Mutex
	conns []net.Conn
}

func newRelay(t *testing.T, target string) *relay {
	t.Helper()
	conn, err := grpc.NewClient(target, grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	r := &relay{
		server: etcdserverpb.NewKVClient(conn), listener: listener,
		answers: make(chan struct{}, 1000), held: make(chan struct{}, 1000),
		release: make(chan struct{}), close: make(chan struct{}),
	}
	server := grpc.NewServer()
	etcdserverpb.RegisterKVServer(server, r)
	etcdserverpb.RegisterAuthServer(server, r)
	var running sync.WaitGroup
	running.Go(func() { _ = server.Serve(r) }) // ends with the listener
	t.Cleanup(func() {
		close(r.close)
		server.Stop()
		running.Wait()
		require.NoError(t, conn.Close())
	})
	return r
}

func (r *relay) address() string { return r.listener.Addr().String() }

// Accept, Close and Addr make a listener of the relay that knows its connections.
func (r *relay) Accept() (net.Conn, error) {
	c, err := r.listener.Accept()
	if err == nil {
		r.mu.Lock()
		r.conns = append(r.conns, c)
		r.mu.Unlock()
	}
	return c, err
}

func (r *relay) Close() error { return r.listener.Close() }

func (r *relay) Addr() net.Addr { return r.listener.Addr() }

func (r *relay) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.conns {
		_ = c.Close()
	}
	r.conns = nil
}

func (r *relay) set(f fate) { r.txns.Store(int32(f)) }

// Authenticate takes any password.
func (r *relay) Authenticate(context.Context, *etcdserverpb.AuthenticateRequest) (*etcdserverpb.AuthenticateResponse, error) {
	return &etcdserverpb.AuthenticateResponse{Token: unique()}, nil
}

// Range and Txn are the methods that a store uses.
func (r *relay) Range(ctx context.Context, in *etcdserverpb.RangeRequest) (*etcdserverpb.RangeResponse, error) {
	return relayed(ctx, r, fate(r.ranges.Load()), in, r.server.Range)
}

func (r *relay) Txn(ctx context.Context, in *etcdserverpb.TxnRequest) (*etcdserverpb.TxnResponse, error) {
	r.calls.Add(1)
	return relayed(ctx, r, fate(r.txns.Load()), in, r.server.Txn)
}

func relayed[In, Out any](ctx context.Context, r *relay, f fate, in In, call func(context.Context, In, ...grpc.CallOption) (Out, error)) (out Out, err error) {
	switch f {
	case loseRequest:
		r.cut()
		return out, status.Error(codes.Internal, "nobody hears this")
	case oldToken:
		r.set(pass)
		return out, rpctypes.ErrGRPCInvalidAuthToken
	case hold:
		r.held <- struct{}{}
		select {
		case <-r.release:
		case <-r.close:
			return out, status.Error(codes.Internal, "the test is over")
		}
	}
	out, err = call(context.WithoutCancel(ctx), in)
	switch f {
	case pass:
		return out, err
	case hold:
		r.answers <- struct{}{}
		return out, err
	}
	r.answers <- struct{}{}
	switch f {
	case loseReply:
		r.cut()
	case hang:
		<-r.close
	case cancelled:
		err = status.Error(codes.Canceled, "etcdserver: request canceled")
	case full:
		err = rpctypes.ErrGRPCNoSpace
	case late:
		err = status.Error(codes.DeadlineExceeded, "context deadline exceeded")
	}
	return out, err
}

// within waits for something that must happen.
func within[T any](t *testing.T, c <-chan T, what string) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(patience):
		require.FailNow(t, "nothing happened", what)
	}
}
