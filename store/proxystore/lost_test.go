package proxystore_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/proxystore"
)

// relay passes connections on to a server, and can lose its answers.
type relay struct {
	listener net.Listener
	server   string
	losing   atomic.Bool
	done     sync.WaitGroup
}

func newRelay(t *testing.T, url string) *relay {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	r := &relay{listener: listener, server: strings.TrimPrefix(url, "http://")}
	r.done.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			r.done.Go(func() { r.pass(conn) })
		}
	})
	t.Cleanup(func() {
		require.NoError(t, listener.Close())
		r.done.Wait()
	})
	return r
}

func (r *relay) url() string { return "http://" + r.listener.Addr().String() }

// pass ends a connection when either side does, or instead of the first bytes of
// an answer while the relay is losing them.
func (r *relay) pass(client net.Conn) {
	defer func() { _ = client.Close() }()
	server, err := net.Dial("tcp", r.server)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	r.done.Go(func() {
		_, _ = io.Copy(server, client)
		_ = server.Close()
	})
	answer := make([]byte, 4096)
	for {
		n, err := server.Read(answer)
		if err != nil || r.losing.Load() {
			return
		}
		if _, err := client.Write(answer[:n]); err != nil {
			return
		}
	}
}

// counting serves a store and counts what arrives.
func counting(t *testing.T, counters store.Counters) (url string, arrived *atomic.Int64) {
	t.Helper()
	arrived = &atomic.Int64{}
	h := proxystore.NewHandler(counters, proxystore.HandlerOptions{})
	return serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arrived.Add(1)
		h.ServeHTTP(w, r)
	})), arrived
}

// withKey adds the header that makes net/http take any request for one that it
// may repeat.
func withKey(next http.RoundTripper) http.RoundTripper {
	return tripper(func(r *http.Request) (*http.Response, error) {
		r.Header.Set("Idempotency-Key", "x")
		return next.RoundTrip(r)
	})
}

// On a kept connection, net/http repeats what it may when the answer is lost.
func TestLostAnswer(t *testing.T) {
	memory := store.NewMemory()
	url, arrived := counting(t, memory)
	r := newRelay(t, url)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	client := openWith(t, r.url(), withKey(transport))
	ctx := t.Context()
	_, err := client.Create(ctx, orders, 0)
	require.NoError(t, err)
	require.NoError(t, client.CompareAndSet(ctx, orders, nil, []byte("a")))

	for _, name := range []string{"create", "allocate", "raise", "compare and set"} {
		r.losing.Store(false)
		_, err := client.Peek(ctx, orders) // a connection to keep
		require.NoError(t, err)
		r.losing.Store(true)
		arrived.Store(0)
		_, err = calls(client, orders)[name](ctx)
		require.ErrorIs(t, err, store.ErrUnknownOutcome, name)
		require.EqualValues(t, 1, arrived.Load(), "%s was sent more than once", name)
	}
	maxID, err := memory.Peek(ctx, orders)
	require.NoError(t, err)
	require.EqualValues(t, exact, maxID, "allocated, and raised to the same")
	value, err := memory.Get(ctx, orders)
	require.NoError(t, err)
	require.Equal(t, "b", string(value))

	r.losing.Store(false)
	maxID, err = client.Allocate(ctx, orders, 10)
	require.NoError(t, err)
	require.EqualValues(t, exact+10, maxID, "what was lost is not given out again")

	// So that the test is known to be able to fail: the same request with no
	// body is repeated.
	r.losing.Store(true)
	arrived.Store(0)
	req, err := http.NewRequestWithContext(ctx, http.MethodPatch, r.url()+"/segments/shop/orders?step=1", nil)
	require.NoError(t, err)
	resp, err := withKey(transport).RoundTrip(req)
	if err == nil {
		require.NoError(t, resp.Body.Close())
	}
	require.Error(t, err)
	require.Greater(t, arrived.Load(), int64(1))
}

// Reads have no outcome to be unknown.
func TestLostAnswerToRead(t *testing.T) {
	url, _ := counting(t, store.NewMemory())
	r := newRelay(t, url)
	r.losing.Store(true)
	for name, call := range calls(open(t, r.url()), orders) {
		_, err := call(t.Context())
		require.Error(t, err)
		require.Equal(t, isChange(name), errors.Is(err, store.ErrUnknownOutcome), name)
	}
}

func TestRefusedConnection(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	for _, transport := range []http.RoundTripper{&http.Transport{}, withKey(&http.Transport{})} {
		for name, call := range calls(openWith(t, "http://"+listener.Addr().String(), transport), orders) {
			_, err := call(t.Context())
			require.ErrorIs(t, err, syscall.ECONNREFUSED, name)
			require.NotErrorIs(t, err, store.ErrUnknownOutcome, name)
		}
	}
}

// Nor did a request leave to a server that isn't trusted.
func TestUntrustedServer(t *testing.T) {
	server := httptest.NewUnstartedServer(proxystore.NewHandler(store.NewMemory(), proxystore.HandlerOptions{}))
	server.Config.ErrorLog = nopLogger()
	server.StartTLS()
	t.Cleanup(server.Close)
	_, err := open(t, server.URL).Allocate(t.Context(), orders, 1)
	require.ErrorContains(t, err, "certificate")
	require.NotErrorIs(t, err, store.ErrUnknownOutcome)
}

func TestAnswerCutInTheMiddle(t *testing.T) {
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "5")
		_, _ = w.Write([]byte("12")) // and a server then ends the connection
	}))
	client := open(t, url)
	for name, call := range calls(client, orders) {
		_, err := call(t.Context())
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, name)
		require.Equal(t, isChange(name), errors.Is(err, store.ErrUnknownOutcome), name)
	}
}

// An answer without an end is read up to a limit.
func TestEndlessAnswer(t *testing.T) {
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write(make([]byte, 4096)); err != nil {
				return
			}
		}
	}))
	for name, call := range calls(open(t, url), orders) {
		_, err := call(t.Context())
		require.ErrorContains(t, err, "want at most 65536 bytes", name)
		require.Less(t, len(err.Error()), 2000)
		require.Equal(t, isChange(name), errors.Is(err, store.ErrUnknownOutcome), name)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	var followed atomic.Int64
	other := serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed.Add(1) }))
	for _, status := range []int{301, 302, 303, 307, 308} {
		url := serve(t, http.RedirectHandler(other, status))
		for name, call := range calls(open(t, url), orders) {
			_, err := call(t.Context())
			require.ErrorContains(t, err, "redirected", name)
			require.Equal(t, isChange(name), errors.Is(err, store.ErrUnknownOutcome), name)
		}
	}
	require.Zero(t, followed.Load())
}

// The client that was passed in goes on as its owner wants it to.
func TestHTTPClientIsNotChanged(t *testing.T) {
	mine := &http.Client{}
	_, err := proxystore.NewClient(proxystore.ClientOptions{URL: "http://host", HTTPClient: mine})
	require.NoError(t, err)
	require.Equal(t, &http.Client{}, mine)
}

// hanging answers nothing until its test ends.
func hanging(t *testing.T) (url string, arrived chan struct{}) {
	t.Helper()
	arrived, end := make(chan struct{}, 100), make(chan struct{})
	url = serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		arrived <- struct{}{}
		<-end
	}))
	t.Cleanup(func() { close(end) })
	return url, arrived
}

func TestTimeout(t *testing.T) {
	url, _ := hanging(t)
	client, err := proxystore.NewClient(proxystore.ClientOptions{URL: url, Timeout: 20 * time.Millisecond})
	require.NoError(t, err)
	for name, call := range calls(client, orders) {
		_, err := call(t.Context())
		require.ErrorIs(t, err, context.DeadlineExceeded, name)
		require.Equal(t, isChange(name), errors.Is(err, store.ErrUnknownOutcome), name)
	}
}

// The time-out of the user's own client does the same.
func TestTimeoutOfHTTPClient(t *testing.T) {
	url, _ := hanging(t)
	client, err := proxystore.NewClient(proxystore.ClientOptions{
		URL: url, HTTPClient: &http.Client{Timeout: 20 * time.Millisecond},
	})
	require.NoError(t, err)
	_, err = client.Allocate(t.Context(), orders, 1)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorIs(t, err, store.ErrUnknownOutcome)
}

// A context's cause doesn't hide that it is over.
func TestCancelledWithACause(t *testing.T) {
	url, arrived := hanging(t)
	client := open(t, url)
	cause := errors.New("stop")
	for name, call := range calls(client, orders) {
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			<-arrived
			cancel(cause)
		}()
		_, err := call(ctx)
		require.ErrorIs(t, err, context.Canceled, name)
		require.Equal(t, isChange(name), errors.Is(err, store.ErrUnknownOutcome), name)
	}
}
