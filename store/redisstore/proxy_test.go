package redisstore_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// fate is what a proxy does with a script.
type fate int32

const (
	pass        fate = iota
	loseRequest      // cut the connection in place of sending it on
	loseReply        // send it on, and cut the connection when the answer comes
	hang             // send it on, and keep the answer
)

// proxy is between a client and a server.
type proxy struct {
	listener net.Listener
	target   string
	fate     atomic.Int32
	scripts  atomic.Int64  // how many have come by
	answers  chan struct{} // one for each answer that was cut or kept

	mu    sync.Mutex
	conns []net.Conn
}

func newProxy(t *testing.T, target string) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &proxy{listener: listener, target: target, answers: make(chan struct{}, 100)}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() { p.serve(client, &running) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		p.closeAll()
		running.Wait()
	})
	return p
}

func (p *proxy) address() string { return p.listener.Addr().String() }

func (p *proxy) set(f fate) { p.fate.Store(int32(f)) }

// dial is a dialer that leads to the proxy, wherever the client wants to go.
func (p *proxy) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	return (&net.Dialer{}).DialContext(ctx, network, p.address())
}

func (p *proxy) keep(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conns = append(p.conns, c)
}

func (p *proxy) closeAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		_ = c.Close()
	}
}

func (p *proxy) serve(client net.Conn, running *sync.WaitGroup) {
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		_ = client.Close()
		return
	}
	p.keep(client)
	p.keep(server)
	var doomed atomic.Int32
	running.Go(func() {
		copyChunks(server, client, func(chunk []byte) (goOn bool) {
			if !bytes.Contains(chunk, []byte("EVAL")) {
				return true
			}
			p.scripts.Add(1)
			doomed.Store(p.fate.Load())
			return fate(doomed.Load()) != loseRequest
		})
	})
	copyChunks(client, server, func([]byte) (goOn bool) {
		switch fate(doomed.Load()) {
		case loseReply:
			p.answers <- struct{}{}
			return false
		case hang:
			p.answers <- struct{}{}
			_, _ = io.Copy(io.Discard, server)
			return false
		}
		return true
	})
}

// copyChunks copies what may go on, and closes both ends after it.
func copyChunks(to, from net.Conn, goOn func([]byte) bool) {
	defer func() { _, _ = to.Close(), from.Close() }()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil || !goOn(buffer[:n]) {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}
