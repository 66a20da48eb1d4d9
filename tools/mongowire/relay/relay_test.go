package relay

import (
	"io"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// server answers each request as a test says, in a goroutine for each connection.
// A nil answer ends the connection.
type server struct {
	listener net.Listener
	answer   func(request message) message
}

func echo(request message) message { return withFlags(1, request.id(), 0, text(request)) }

func text(m message) string { return string(m[headerSize+flagsSize:]) }

func newServer(t *testing.T, answer func(request message) message) *server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &server{listener, answer}
	t.Cleanup(func() { require.NoError(t, listener.Close()) })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go s.serve(conn)
		}
	}()
	return s
}

func (s *server) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	for {
		request, err := readMessage(conn)
		if err != nil {
			return
		}
		answer := s.answer(request)
		if answer == nil {
			return
		}
		if _, err := conn.Write(answer); err != nil {
			return
		}
	}
}

// newRelay starts one before a server and returns its address. It is closed at the
// end of the test, and must then end.
func newRelay(t *testing.T, s *server, log io.Writer) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	dial := func() (net.Conn, error) { return net.Dial("tcp", s.listener.Addr().String()) }
	r := New(listener, dial, slog.New(slog.NewTextHandler(log, nil)))
	done := make(chan error, 1)
	go func() { done <- r.Serve() }()
	t.Cleanup(func() {
		require.NoError(t, r.Close())
		require.NoError(t, <-done)
	})
	return listener.Addr().String()
}

func connect(t *testing.T, address string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func send(t *testing.T, conn net.Conn, m message) {
	t.Helper()
	_, err := conn.Write(m)
	require.NoError(t, err)
}

// ask sends a request and returns the text of the answer.
func ask(t *testing.T, conn net.Conn, id uint32, question string) string {
	t.Helper()
	send(t, conn, withFlags(id, 0, 0, question))
	answer, err := readMessage(conn)
	require.NoError(t, err)
	require.Equal(t, id, answer.answers())
	return text(answer)
}

func requireEnded(t *testing.T, conn net.Conn) {
	t.Helper()
	_, err := readMessage(conn)
	require.ErrorIs(t, err, io.EOF)
}

func TestOneAtATime(t *testing.T) {
	const clients, requests = 8, 200
	var inside, most, count atomic.Int64
	s := newServer(t, func(request message) message {
		most.Store(max(most.Load(), inside.Add(1)))
		time.Sleep(time.Microsecond)
		count.Add(1)
		inside.Add(-1)
		return echo(request)
	})
	address := newRelay(t, s, io.Discard)
	var running sync.WaitGroup
	for range clients {
		conn := connect(t, address)
		running.Go(func() {
			for id := range uint32(requests) {
				if got := ask(t, conn, id, "hello"); got != "hello" {
					t.Errorf("answer %q", got)
				}
			}
		})
	}
	running.Wait()
	require.Equal(t, int64(1), most.Load())
	require.Equal(t, int64(clients*requests), count.Load())
}

// A client in the middle of a message holds up nobody, also when it leaves.
func TestHalfAMessage(t *testing.T) {
	address := newRelay(t, newServer(t, echo), io.Discard)
	half, other := connect(t, address), connect(t, address)
	whole := withFlags(1, 0, 0, "hello")
	for _, length := range []int{5, headerSize, headerSize + flagsSize + 1} {
		send(t, half, whole[:length])
		require.Equal(t, "b", ask(t, other, 2, "b"))
		require.NoError(t, half.Close())
		require.Equal(t, "c", ask(t, other, 3, "c"))
		half = connect(t, address)
	}
	for i := range whole { // byte by byte
		send(t, half, whole[i:i+1])
	}
	answer, err := readMessage(half)
	require.NoError(t, err)
	require.Equal(t, "hello", text(answer))
}

// A turn lasts until the server has answered, also if its client has left.
func TestClientLeavesDuringItsTurn(t *testing.T) {
	var mu sync.Mutex
	var events []string
	record := func(event string) {
		mu.Lock()
		defer mu.Unlock()
		events = append(events, event)
	}
	arrived, goOn := make(chan struct{}), make(chan struct{})
	s := newServer(t, func(request message) message {
		record("begin " + text(request))
		if text(request) == "a" {
			close(arrived)
			<-goOn
		}
		record("end " + text(request))
		return echo(request)
	})
	address := newRelay(t, s, io.Discard)
	leaves, other := connect(t, address), connect(t, address)
	send(t, leaves, withFlags(1, 0, 0, "a"))
	<-arrived
	require.NoError(t, leaves.Close())
	answered := make(chan string)
	go func() { answered <- ask(t, other, 2, "b") }()
	time.Sleep(100 * time.Millisecond) // in which b would come through if it could
	close(goOn)
	require.Equal(t, "b", <-answered)
	require.Equal(t, []string{"begin a", "end a", "begin b", "end b"}, events)
}

// A client that doesn't read its answer holds up nobody.
func TestClientDoesNotRead(t *testing.T) {
	large := strings.Repeat("x", 16<<20) // more than the system keeps for it
	s := newServer(t, func(request message) message {
		if text(request) == "large" {
			return withFlags(1, request.id(), 0, large)
		}
		return echo(request)
	})
	address := newRelay(t, s, io.Discard)
	sleeper, other := connect(t, address), connect(t, address)
	send(t, sleeper, withFlags(1, 0, 0, "large"))
	_, err := sleeper.Read(make([]byte, 1)) // its turn is over
	require.NoError(t, err)
	require.Equal(t, "b", ask(t, other, 2, "b"))
}

// A request that wants no answer gets none, and the next one gets its own.
func TestNoAnswerWanted(t *testing.T) {
	var mu sync.Mutex
	var flags []uint32
	s := newServer(t, func(request message) message {
		mu.Lock()
		defer mu.Unlock()
		flags = append(flags, request.flags())
		return echo(request)
	})
	conn := connect(t, newRelay(t, s, io.Discard))
	send(t, conn, withFlags(1, 0, moreToCome, "quiet"))
	require.Equal(t, "b", ask(t, conn, 2, "b"))
	require.Equal(t, []uint32{0, 0}, flags)
}

// What the relay can't handle ends the connection that it came over, and no other.
func TestRefused(t *testing.T) {
	var log lines
	s := newServer(t, func(request message) message {
		switch text(request) {
		case "another":
			return withFlags(1, request.id()+1, 0, "")
		case "more":
			return withFlags(1, request.id(), moreToCome, "")
		case "gone":
			return nil
		}
		return echo(request)
	})
	address := newRelay(t, s, &log)
	other := connect(t, address)
	for id, tt := range []struct {
		sent message
		logs string
	}{
		{withFlags(1, 0, checksumPresent, "a"), "checksum"},
		{newMessage(1, 0, 2012, []byte("a")), "kind is 2012"},
		{withFlags(1, 0, 0, "another"), "answers request 2"},
		{withFlags(1, 0, 0, "more"), "more answers"},
		{withFlags(1, 0, 0, "gone"), ""},
	} {
		conn := connect(t, address)
		send(t, conn, tt.sent)
		requireEnded(t, conn)
		require.Equal(t, "b", ask(t, other, uint32(id), "b"))
		if tt.logs != "" {
			require.Eventually(t, func() bool { return log.has(tt.logs) }, 10*time.Second, time.Millisecond, tt.logs)
		}
	}
}

// lines is a log.
type lines struct {
	mu   sync.Mutex
	text []string
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, string(p))
	return len(p), nil
}

func (l *lines) has(part string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.text, func(line string) bool { return strings.Contains(line, part) })
}

// Close ends clients that wait for the server and those that say nothing.
func TestClose(t *testing.T) {
	arrived, goOn := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(goOn) })
	s := newServer(t, func(request message) message {
		close(arrived)
		<-goOn
		return nil
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	r := New(listener, func() (net.Conn, error) { return net.Dial("tcp", s.listener.Addr().String()) }, slog.New(slog.DiscardHandler))
	done := make(chan error, 1)
	go func() { done <- r.Serve() }()
	idle, waits := connect(t, listener.Addr().String()), connect(t, listener.Addr().String())
	send(t, waits, withFlags(1, 0, 0, "a"))
	<-arrived
	require.NoError(t, r.Close())
	require.NoError(t, <-done)
	requireEnded(t, waits)
	requireEnded(t, idle)
}
