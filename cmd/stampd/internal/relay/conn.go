package relay

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// chunk is how much is handed on at once: more than a request of any store.
const chunk = 64 << 10

// conn is a client's connection and the one that was made to the server for it.
type conn struct {
	relay          *Relay
	client, server *net.TCPConn

	// doom is the Kind that hit the last request, if the reply has to know, and
	// ended the channel that goes with it.
	doom  atomic.Int32
	ended atomic.Value // of <-chan struct{}

	once sync.Once
	gone chan struct{}
}

func (c *conn) close() {
	c.once.Do(func() {
		close(c.gone)
		_ = c.client.Close()
		_ = c.server.Close()
	})
}

// await returns when a fault has ended or the connection was closed.
func (c *conn) await(ended <-chan struct{}) {
	select {
	case <-ended:
	case <-c.gone:
	}
}

// pass hands on requests.
func (c *conn) pass() {
	defer c.close()
	buffer := make([]byte, chunk)
	for {
		n, err := c.client.Read(buffer)
		if err != nil {
			return
		}
		c.relay.requests.Add(1)
		if !c.hand(buffer[:n]) {
			return
		}
	}
}

// hand hands on a request, and tells whether the connection goes on.
func (c *conn) hand(request []byte) bool {
	f, ended := c.relay.draw()
	if f.Kind != Pass {
		c.relay.hit.Add(1)
	}
	switch f.Kind {
	case Refuse, LoseRequest:
		return false
	case Swallow:
		c.await(ended)
		return false
	case Delay:
		timer := time.NewTimer(f.Time)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-c.gone:
			return false
		}
	case LoseReply, Hang:
		// Before the request is sent, so that the reply finds it.
		c.ended.Store(ended)
		c.doom.Store(int32(f.Kind))
	}
	if _, err := c.server.Write(request); err != nil {
		return false
	}
	if f.Kind == HalfClose {
		_ = c.server.CloseWrite()
		<-c.gone // when the server closes too, or the client
		return false
	}
	return true
}

// replies hands on replies.
func (c *conn) replies() {
	defer c.close()
	buffer := make([]byte, chunk)
	for {
		n, err := c.server.Read(buffer)
		if err != nil {
			return
		}
		switch Kind(c.doom.Load()) {
		case LoseReply:
			return
		case Hang:
			c.await(c.ended.Load().(<-chan struct{}))
			return
		}
		if _, err := c.client.Write(buffer[:n]); err != nil {
			return
		}
	}
}
