package etcdstore

import (
	"context"
	"slices"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// once keeps the client from sending a transaction again that may have been
// applied. Its retries leave writes alone, but for one case: an answer that the
// call was cancelled or is late, while the caller's context goes on, is taken for
// a matter of the client's, and the call is repeated up to a hundred times. A
// server that shuts down, or a proxy, can answer so after it has done its work.
// The end of the context that the retries look at stops them. Refused tokens,
// which they renew, end nothing.
type once struct{ etcdserverpb.KVClient }

// Txn overrides the method of the client.
func (o once) Txn(ctx context.Context, in *etcdserverpb.TxnRequest, opts ...grpc.CallOption) (*etcdserverpb.TxnResponse, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := grpc.OnFinish(func(err error) {
		if code := status.Code(err); code == codes.Canceled || code == codes.DeadlineExceeded {
			cancel()
		}
	})
	return o.KVClient.Txn(ctx, in, append(slices.Clip(opts), stop)...)
}
