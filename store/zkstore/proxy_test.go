package zkstore_test

import (
	"encoding/binary"
	"io"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// fate is what a proxy does with a request.
type fate int32

const (
	pass        fate = iota
	loseRequest      // cut the connection in place of sending it on
	loseReply        // send it on, and cut the connection when the answer comes
	hang             // send it on, and keep the answer and all that follows
	hold             // keep the request until the proxy is told to release it
)

// Codes of requests in ZooKeeper's protocol.
const (
	opCreate  = 1
	opGetData = 4
	opSetData = 5
	opSync    = 9
)

// proxy is between a client and a server, and knows the frames of the protocol:
// four bytes of length, then, in all of a client's but the first, the request's
// number and its code.
type proxy struct {
	listener net.Listener
	target   string
	fate     atomic.Int32
	requests atomic.Int64  // how many of the kinds below have come by
	answers  chan struct{} // one for each answer that was cut or kept
	held     chan struct{} // one for each request that is held
	release  chan struct{} // closed: those go on

	mu    sync.Mutex
	codes []uint32
	conns []net.Conn
}

func newProxy(t *testing.T, target string) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &proxy{
		listener: listener, target: target,
		answers: make(chan struct{}, 100), held: make(chan struct{}, 100), release: make(chan struct{}),
	}
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

// set says what happens to requests of these codes. Others pass.
func (p *proxy) set(f fate, codes ...uint32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.codes = codes
	p.fate.Store(int32(f))
}

func (p *proxy) fateOf(code uint32) fate {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.codes, code) {
		return pass
	}
	return fate(p.fate.Load())
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
	var doomed atomic.Int64 // number of the request whose answer is, plus one
	var hanging atomic.Bool
	running.Go(func() {
		first := true
		copyFrames(server, client, func(frame []byte) (goOn bool) {
			if first || len(frame) < 12 {
				first = false
				return true
			}
			number, code := binary.BigEndian.Uint32(frame[4:]), binary.BigEndian.Uint32(frame[8:])
			f := p.fateOf(code)
			if f == pass {
				return true
			}
			p.requests.Add(1)
			switch f {
			case loseRequest:
				return false
			case loseReply:
				doomed.Store(int64(number) + 1)
			case hang:
				doomed.Store(int64(number) + 1)
				hanging.Store(true)
			case hold:
				p.held <- struct{}{}
				<-p.release
			}
			return true
		})
	})
	first := true
	copyFrames(client, server, func(frame []byte) (goOn bool) {
		if first || len(frame) < 8 {
			first = false
			return true
		}
		if n := doomed.Load(); n == 0 || uint32(n-1) != binary.BigEndian.Uint32(frame[4:]) {
			return true
		}
		p.answers <- struct{}{}
		if hanging.Load() {
			_, _ = io.Copy(io.Discard, server)
		}
		return false
	})
}

// copyFrames copies what may go on, and closes both ends after it.
func copyFrames(to, from net.Conn, goOn func(frame []byte) bool) {
	defer func() { _, _ = to.Close(), from.Close() }()
	for {
		frame := make([]byte, 4)
		if _, err := io.ReadFull(from, frame); err != nil {
			return
		}
		frame = append(frame, make([]byte, binary.BigEndian.Uint32(frame))...)
		if _, err := io.ReadFull(from, frame[4:]); err != nil || !goOn(frame) {
			return
		}
		if _, err := to.Write(frame); err != nil {
			return
		}
	}
}
