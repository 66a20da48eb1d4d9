package relay

import (
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// Relay listens on a port of its own and hands on to a server.
type Relay struct {
	listener net.Listener
	target   string
	running  sync.WaitGroup

	accepted, requests, hit atomic.Int64

	mu     sync.Mutex
	random *rand.Rand
	fault  Fault
	ended  chan struct{} // closed when fault is replaced
	conns  map[*conn]struct{}
	closed bool
}

// Counts are how many connections were made, and how many requests came on them.
type Counts struct {
	Connections, Requests int64
	Hit                   int64 // requests that a fault has hit
}

// New starts a relay to a server's address, host:port, which needn't answer yet.
// Which requests a fault hits is a matter of the seed and of their order.
func New(target string, seed uint64) (*Relay, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("relay to %s: %w", target, err)
	}
	r := &Relay{
		listener: listener, target: target, random: rand.New(rand.NewPCG(seed, 0)),
		ended: make(chan struct{}), conns: map[*conn]struct{}{},
	}
	r.running.Go(r.accept)
	return r, nil
}

// Addr is where the relay listens, host:port.
func (r *Relay) Addr() string { return r.listener.Addr().String() }

// Counts tells what has come by.
func (r *Relay) Counts() Counts {
	return Counts{Connections: r.accepted.Load(), Requests: r.requests.Load(), Hit: r.hit.Load()}
}

// Set replaces the fault. Connections that the old one holds up are closed.
func (r *Relay) Set(f Fault) {
	r.mu.Lock()
	r.fault = f
	close(r.ended)
	r.ended = make(chan struct{})
	r.mu.Unlock()
	if f.Kind == Refuse {
		r.Cut()
	}
}

// Cut closes all connections and returns how many there were.
func (r *Relay) Cut() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.conns {
		c.close()
	}
	return len(r.conns)
}

// Close ends the relay and waits for its goroutines.
func (r *Relay) Close() error {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return nil
	}
	r.closed = true
	r.mu.Unlock()
	err := r.listener.Close()
	r.Set(Fault{})
	r.Cut()
	r.running.Wait()
	return err
}

func (r *Relay) accept() {
	for {
		client, err := r.listener.Accept()
		if err != nil {
			return
		}
		r.accepted.Add(1)
		r.running.Go(func() { r.serve(client.(*net.TCPConn)) })
	}
}

// draw decides whether the fault hits a request. The channel is closed when the
// fault has ended.
func (r *Relay) draw() (Fault, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.fault
	if f.Kind == Pass || f.Percent > 0 && r.random.IntN(100) >= f.Percent {
		return Fault{}, r.ended
	}
	if f.Kind == Delay {
		f.Time = time.Duration(r.random.Int64N(int64(max(f.Time, 1))))
	}
	return f, r.ended
}

func (r *Relay) refuses() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closed || r.fault.Kind == Refuse
}

func (r *Relay) serve(client *net.TCPConn) {
	if r.refuses() {
		_ = client.SetLinger(0) // a reset, as of a port that nobody listens on
		_ = client.Close()
		return
	}
	server, err := net.DialTimeout("tcp", r.target, time.Second)
	if err != nil {
		_ = client.Close()
		return
	}
	c := &conn{relay: r, client: client, server: server.(*net.TCPConn), gone: make(chan struct{})}
	r.mu.Lock()
	r.conns[c] = struct{}{}
	closed := r.closed
	r.mu.Unlock()
	if closed {
		c.close()
	}
	r.running.Go(c.replies)
	c.pass()
	r.mu.Lock()
	delete(r.conns, c)
	r.mu.Unlock()
}
