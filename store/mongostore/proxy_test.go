package mongostore_test

import (
	"bytes"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// fate is what a proxy does with a command of a store.
type fate int32

const (
	pass        fate = iota
	loseRequest      // cut the connection in place of sending it on
	loseReply        // send it on, and cut the connection when the answer comes
	hang             // send it on, and keep the answer
)

// proxy is between a client and a server.
type proxy struct {
	target   string
	address  string
	decide   atomic.Pointer[func() fate] // asked for each command
	commands atomic.Int64                // how many have come by
	answers  chan struct{}               // one for each answer that was cut or kept

	running  sync.WaitGroup
	mu       sync.Mutex
	listener net.Listener
	conns    []net.Conn
}

func newProxy(t *testing.T) *proxy {
	t.Helper()
	o := options.Client().ApplyURI(serverURI())
	require.NoError(t, o.Validate())
	p := &proxy{target: o.Hosts[0], address: "127.0.0.1:0", answers: make(chan struct{}, 100)}
	p.set(pass)
	p.up(t)
	t.Cleanup(func() {
		p.down()
		p.running.Wait()
	})
	return p
}

// client returns one that goes through the proxy, and doesn't look for other
// members of the server's replica set.
func (p *proxy) client(t *testing.T, parameters string) *mongo.Client {
	t.Helper()
	uri, err := url.Parse(serverURI())
	require.NoError(t, err)
	uri.Host, uri.RawQuery = p.address, "directConnection=true&"+parameters
	if uri.Path == "" {
		uri.Path = "/"
	}
	return newClient(t, uri.String())
}

// up lets clients in, where they were before.
func (p *proxy) up(t *testing.T) {
	t.Helper()
	listener, err := net.Listen("tcp", p.address)
	require.NoError(t, err)
	p.mu.Lock()
	p.listener, p.address = listener, listener.Addr().String()
	p.mu.Unlock()
	p.running.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			p.running.Go(func() { p.serve(client) })
		}
	})
}

// down cuts all connections and lets nobody in.
func (p *proxy) down() {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.listener.Close()
	for _, c := range p.conns {
		_ = c.Close()
	}
	p.conns = nil
}

func (p *proxy) set(f fate) { p.setEach(func() fate { return f }) }

// setEach makes decide choose the fate of each command, maybe at the same time.
func (p *proxy) setEach(decide func() fate) { p.decide.Store(&decide) }

func (p *proxy) serve(client net.Conn) {
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		_ = client.Close()
		return
	}
	p.mu.Lock()
	p.conns = append(p.conns, client, server)
	p.mu.Unlock()
	var doomed atomic.Int32
	p.running.Go(func() {
		forward(server, client, func(m message) (goOn, send bool) {
			if !bytes.Contains(m, []byte("writeConcern")) && !bytes.Contains(m, []byte("linearizable")) {
				return true, true
			}
			p.commands.Add(1)
			doomed.Store(int32((*p.decide.Load())()))
			return fate(doomed.Load()) != loseRequest, true
		})
	})
	forward(client, server, func(message) (goOn, send bool) {
		f := fate(doomed.Load())
		if f == loseReply || f == hang {
			p.answers <- struct{}{}
		}
		return f != loseReply, f != hang
	})
}

// forward copies what may go on, and closes both ends after it.
func forward(to, from net.Conn, look func(message) (goOn, send bool)) {
	defer func() { _, _ = to.Close(), from.Close() }()
	for {
		m, err := readMessage(from)
		if err != nil {
			return
		}
		goOn, send := look(m)
		if !goOn {
			return
		}
		if !send {
			continue
		}
		if _, err := to.Write(m); err != nil {
			return
		}
	}
}
