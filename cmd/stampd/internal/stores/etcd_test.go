package stores

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// To log in, the client asks a server, which may not answer.
func TestEtcdLoginEndsWithTheContext(t *testing.T) {
	silent, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = silent.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = Open(ctx, "etcd://ids:secret@"+silent.Addr().String(), Options{})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NotContains(t, err.Error(), "secret")
}

// A store lasts longer than the context that it was opened with.
func TestEtcdOutlivesTheContextOfOpen(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, err := Open(ctx, urls()["etcd"](t), Options{})
	require.NoError(t, err)
	cancel()
	require.NoError(t, s.Ready(t.Context()))
	require.NoError(t, s.Close())
}
