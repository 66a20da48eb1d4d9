package relay

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"sync"
)

// Relay passes requests on, one at a time. Make it with [New].
type Relay struct {
	listener net.Listener
	dial     func() (net.Conn, error)
	log      *slog.Logger
	turn     sync.Mutex // held from a request's first byte to the server until its answer

	mu     sync.Mutex
	closed bool
	conns  map[net.Conn]struct{}
}

// New returns a relay between the clients of listener and a server that dial
// connects to, once for each client. Connections that end because of what came
// over them are logged as warnings.
func New(listener net.Listener, dial func() (net.Conn, error), log *slog.Logger) *Relay {
	return &Relay{listener: listener, dial: dial, log: log, conns: map[net.Conn]struct{}{}}
}

// Serve accepts clients until [Relay.Close], and then returns nil when all of
// them have been served. Call it once.
func (r *Relay) Serve() error {
	var clients sync.WaitGroup
	defer clients.Wait()
	for {
		client, err := r.listener.Accept()
		if err != nil {
			r.mu.Lock()
			defer r.mu.Unlock()
			if r.closed {
				return nil
			}
			return err
		}
		clients.Go(func() {
			if err := r.serve(client); err != nil {
				r.log.Warn("connection ended", "client", client.RemoteAddr().String(), "error", err)
			}
		})
	}
}

// Close ends all connections. The server may still be at work on a request.
func (r *Relay) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for c := range r.conns {
		_ = c.Close()
	}
	return r.listener.Close()
}

// keep remembers a connection for Close, and tells whether there is still time.
func (r *Relay) keep(c net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.conns[c] = struct{}{}
	}
	return !r.closed
}

func (r *Relay) end(c net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.conns, c)
	_ = c.Close()
}

// serve passes on the requests of one client. That a client leaves is no error.
func (r *Relay) serve(client net.Conn) error {
	defer r.end(client)
	server, err := r.dial()
	if err != nil {
		return err
	}
	defer r.end(server)
	if !r.keep(client) || !r.keep(server) {
		return nil
	}
	for {
		request, err := readMessage(client)
		if err != nil {
			return unlessGone(err)
		}
		wantsAnswer, err := request.request()
		if err != nil {
			return err
		}
		answer, err := r.exchange(server, request)
		if err != nil {
			return unlessGone(err)
		}
		if !wantsAnswer {
			continue
		}
		if _, err := client.Write(answer); err != nil {
			return nil // it left, and its request is done
		}
	}
}

// exchange sends one request when its turn has come, and returns the answer.
func (r *Relay) exchange(server net.Conn, request message) (message, error) {
	r.turn.Lock()
	defer r.turn.Unlock()
	if _, err := server.Write(request); err != nil {
		return nil, err
	}
	answer, err := readMessage(server)
	if err != nil {
		return nil, err
	}
	return answer, answer.answerTo(request)
}

// unlessGone is nil for what reading gives when the other side has left.
func unlessGone(err error) error {
	if errors.Is(err, errMessage) {
		return err
	}
	var network *net.OpError
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &network) {
		return nil
	}
	return err
}
