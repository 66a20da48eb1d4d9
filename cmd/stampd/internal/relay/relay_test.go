package relay_test

import (
	"bufio"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/relay"
)

// echo is a server that keeps the lines it was sent and returns each of them.
type echo struct {
	listener net.Listener
	mu       sync.Mutex
	lines    []string
	ended    int // connections that the client ended
}

func newEcho(t *testing.T) *echo {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	e := &echo{listener: listener}
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go e.serve(c)
		}
	}()
	return e
}

func (e *echo) serve(c net.Conn) {
	defer func() { _ = c.Close() }()
	lines := bufio.NewScanner(c)
	for lines.Scan() {
		e.mu.Lock()
		e.lines = append(e.lines, lines.Text())
		e.mu.Unlock()
		_, _ = fmt.Fprintln(c, lines.Text())
	}
	e.mu.Lock()
	e.ended++
	e.mu.Unlock()
}

func (e *echo) got() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string(nil), e.lines...)
}

func (e *echo) hasEnded() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.ended > 0
}

func newRelay(t *testing.T, e *echo) *relay.Relay {
	t.Helper()
	r, err := relay.New(e.listener.Addr().String(), 1)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	return r
}

// client says a line and waits for the answer.
type client struct {
	net.Conn
	answers *bufio.Reader
}

func dial(t *testing.T, r *relay.Relay) *client {
	t.Helper()
	c, err := net.Dial("tcp", r.Addr())
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	require.NoError(t, c.SetDeadline(time.Now().Add(10*time.Second)))
	return &client{c, bufio.NewReader(c)}
}

func (c *client) say(line string) (string, error) {
	if _, err := fmt.Fprintln(c, line); err != nil {
		return "", err
	}
	return c.answers.ReadString('\n')
}

func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		kind    relay.Kind
		answers bool // the client gets its reply
		arrives bool // the server gets the request
		goesOn  bool // the connection can be used again
	}{
		{relay.Pass, true, true, true},
		{relay.Delay, true, true, true},
		{relay.LoseRequest, false, false, false},
		{relay.LoseReply, false, true, false},
		{relay.HalfClose, true, true, false},
		{relay.Hang, false, true, false},
		{relay.Swallow, false, false, false},
		{relay.Refuse, false, false, false},
	} {
		t.Run(tt.kind.String(), func(t *testing.T) {
			e := newEcho(t)
			r := newRelay(t, e)
			c := dial(t, r)
			_, err := c.say("one")
			require.NoError(t, err)
			r.Set(relay.Fault{Kind: tt.kind, Time: time.Millisecond})
			if tt.kind == relay.Hang || tt.kind == relay.Swallow {
				go func() {
					for r.Counts().Hit == 0 {
						time.Sleep(time.Millisecond)
					}
					for tt.kind == relay.Hang && len(e.got()) < 2 {
						time.Sleep(time.Millisecond)
					}
					r.Set(relay.Fault{})
				}()
			}
			answer, err := c.say("two")
			if tt.answers {
				require.NoError(t, err)
				require.Equal(t, "two\n", answer)
			} else {
				require.Error(t, err)
			}
			want := []string{"one"}
			if tt.arrives {
				want = append(want, "two")
			}
			require.Eventually(t, func() bool { return len(e.got()) == len(want) }, 10*time.Second, time.Millisecond)
			require.Equal(t, want, e.got())
			if tt.kind == relay.HalfClose {
				require.Eventually(t, e.hasEnded, 10*time.Second, time.Millisecond, "the server is told")
			}
			_, err = c.say("three")
			require.Equal(t, tt.goesOn, err == nil, err)

			r.Set(relay.Fault{})
			_, err = dial(t, r).say("four")
			require.NoError(t, err)
		})
	}
}

func TestCutAndCounts(t *testing.T) {
	r := newRelay(t, newEcho(t))
	one, two := dial(t, r), dial(t, r)
	for _, c := range []*client{one, two} {
		_, err := c.say("hello")
		require.NoError(t, err)
	}
	require.Equal(t, relay.Counts{Connections: 2, Requests: 2}, r.Counts())
	require.Equal(t, 2, r.Cut())
	for _, c := range []*client{one, two} {
		_, err := c.say("hello")
		require.Error(t, err)
	}
}

func TestPercent(t *testing.T) {
	r := newRelay(t, newEcho(t))
	r.Set(relay.Fault{Kind: relay.Delay, Percent: 30, Time: time.Microsecond})
	c := dial(t, r)
	for range 1000 {
		_, err := c.say("hello")
		require.NoError(t, err)
	}
	require.InDelta(t, 300, r.Counts().Hit, 100)
}

func TestServerIsAway(t *testing.T) {
	e := newEcho(t)
	require.NoError(t, e.listener.Close())
	_, err := dial(t, newRelay(t, e)).say("hello")
	require.Error(t, err)
}
