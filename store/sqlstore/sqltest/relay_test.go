package sqltest

import (
	"bytes"
	"context"
	"net"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// What becomes of the next request that names the relay's table.
const (
	pass      int32 = iota
	dropIt          // doesn't reach the server; the connection ends
	dropReply       // the connection ends when the server replies
	blackHole       // the reply never comes
)

// relay is a TCP proxy before a server.
type relay struct {
	listener net.Listener
	network  string
	address  string // of the server
	table    string
	next     atomic.Int32
}

func newRelay(t *testing.T, network, address, table string) *relay {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	r := &relay{listener: listener, network: network, address: address, table: table}
	t.Cleanup(func() { require.NoError(t, listener.Close()) })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go r.serve(client)
		}
	}()
	return r
}

// dial is for drivers: it reaches the relay, whatever the address.
func (r *relay) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, "tcp", r.listener.Addr().String())
}

func (r *relay) serve(client net.Conn) {
	defer func() { _ = client.Close() }()
	server, err := net.Dial(r.network, r.address)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	var fate atomic.Int32
	go r.replies(client, server, &fate)
	buffer := make([]byte, 1<<16)
	for {
		n, err := client.Read(buffer)
		if err != nil {
			return
		}
		if bytes.Contains(buffer[:n], []byte(r.table)) {
			fate.Store(r.next.Swap(pass))
		}
		if fate.Load() == dropIt {
			return
		}
		if _, err := server.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// replies goes on until the server or the client closes.
func (r *relay) replies(client, server net.Conn, fate *atomic.Int32) {
	defer func() { _ = client.Close() }()
	buffer := make([]byte, 1<<16)
	for {
		n, err := server.Read(buffer)
		if err != nil || fate.Load() == dropReply {
			return
		}
		if fate.Load() == blackHole {
			continue
		}
		if _, err := client.Write(buffer[:n]); err != nil {
			return
		}
	}
}
