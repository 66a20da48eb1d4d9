package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/proxystore"
	"github.com/stampid/go-stamp/store/storetest"
)

// record is a log that many write.
type record struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

func options(log *record) Options {
	return Options{
		Timeout: time.Minute, Grace: time.Minute,
		Ready: func(context.Context) error { return nil },
		Log:   slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
}

// run serves until stop is called, which returns what Run did.
func run(t *testing.T, counters store.Counters, o Options) (client *proxystore.Client, stop func() error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, l, counters, o) }()
	client, err = proxystore.NewClient(proxystore.ClientOptions{
		URL: "http://" + l.Addr().String(), HTTPClient: &http.Client{Transport: &http.Transport{}},
	})
	require.NoError(t, err)
	stop = sync.OnceValue(func() error {
		cancel(errors.New("told to"))
		return <-ended
	})
	t.Cleanup(func() { _ = stop() })
	return client, stop
}

// The whole server, with its bounds, keeps the contract of the store behind it.
func TestConformance(t *testing.T) {
	var log record
	client, stop := run(t, store.NewMemory(), options(&log))
	storetest.Run(t, func(*testing.T) store.Counters { return client })
	storetest.RunRecords(t, func(*testing.T) store.Records { return client })
	storetest.RunExpiring(t, func(*testing.T) store.Expiring { return client })
	require.NoError(t, stop())
	require.Contains(t, log.String(), `msg=stopping why="told to" requests=0`)
}

var key = store.Key{Namespace: "a", Name: "b"}

// slow is a store whose calls last until they are told to end.
type slow struct {
	store.Counters
	begun, end chan struct{}
}

func (s slow) Allocate(ctx context.Context, key store.Key, n int64) (int64, error) {
	s.begun <- struct{}{}
	select {
	case <-s.end:
		return s.Counters.Allocate(ctx, key, n)
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func TestRunAnswersWhatItHas(t *testing.T) {
	var log record
	s := slow{store.NewMemory(), make(chan struct{}), make(chan struct{})}
	client, stop := run(t, s, options(&log))
	_, err := client.Create(t.Context(), key, 0)
	require.NoError(t, err)
	const requests = 20
	answers := make(chan error, requests)
	for range requests {
		go func() {
			_, err := client.Allocate(t.Context(), key, 1)
			answers <- err
		}()
		<-s.begun
	}
	stopped := make(chan error)
	go func() { stopped <- stop() }()
	require.Eventually(t, func() bool { return strings.Contains(log.String(), "requests=20") }, time.Minute, time.Millisecond)
	require.Empty(t, answers)
	close(s.end)
	for range requests {
		require.NoError(t, <-answers)
	}
	require.NoError(t, <-stopped)
	at, err := s.Peek(t.Context(), key)
	require.NoError(t, err)
	require.EqualValues(t, requests, at)
}

func TestRunCutsOff(t *testing.T) {
	var log record
	o := options(&log)
	o.Grace = 50 * time.Millisecond
	s := slow{store.NewMemory(), make(chan struct{}), make(chan struct{})}
	client, stop := run(t, s, o)
	answer := make(chan error, 1)
	go func() {
		_, err := client.Allocate(t.Context(), key, 1)
		answer <- err
	}()
	<-s.begun
	err := stop()
	require.ErrorIs(t, err, ErrCutOff)
	require.EqualError(t, err, "requests were cut off after 50ms: 1")
	require.ErrorIs(t, <-answer, store.ErrUnknownOutcome)
}

// A listener that fails ends it.
func TestRunEndsWithItsListener(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	require.ErrorIs(t, Run(t.Context(), l, store.NewMemory(), options(&record{})), net.ErrClosed)
}

// Errors of the store are logged, one a second, and requests only at the debug
// level.
func TestLog(t *testing.T) {
	var log record
	o := options(&log)
	o.Log = slog.New(slog.NewTextHandler(&log, nil))
	h := newHandler(storetest.NewFaulty(store.NewMemory(),
		storetest.Random(1, storetest.Chance{Fault: storetest.Fault{Kind: storetest.FailBefore, Err: errors.New("disk\nfull")}, P: 1})), o)
	for range 100 {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("PATCH", "/segments/a/%1b%5b2J?step=1", nil))
	}
	require.Equal(t, 1, strings.Count(log.String(), "\n"), log.String())
	require.Contains(t, log.String(), `level=ERROR msg="the store failed" method=PATCH path="/segments/a/\x1b[2J" error="disk\nfull" not_logged=0`)
}

func TestProbes(t *testing.T) {
	var log record
	o := options(&log)
	down := errors.New("down")
	for _, tt := range []struct {
		method, path string
		ready        error
		status       int
		body         string
	}{
		{"GET", "/healthz", down, 200, "ok\n"},
		{"GET", "/readyz", nil, 200, "ok\n"},
		{"GET", "/readyz", down, 503, "the store doesn't answer\n"},
		{"POST", "/readyz", nil, 405, ""},
		{"GET", "/healthz/", nil, 404, `{"code":"404","msg":"no such path"}`},
	} {
		o.Ready = func(ctx context.Context) error {
			_, limited := ctx.Deadline()
			require.True(t, limited)
			return tt.ready
		}
		w := httptest.NewRecorder()
		newHandler(store.NewMemory(), o).ServeHTTP(w, httptest.NewRequest(tt.method, tt.path, nil))
		require.Equal(t, tt.status, w.Code)
		require.Equal(t, tt.body, w.Body.String())
		require.Contains(t, log.String(), "status=")
	}
	require.Contains(t, log.String(), `msg="not ready" error=down`)
	require.Contains(t, log.String(), `status=503`)
}

// A client that dribbles its header is hung up on, others aren't kept waiting.
func TestSlowHeaders(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a time-out")
	}
	t.Parallel()
	var log record
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, l, store.NewMemory(), options(&log)) }()
	connection, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	_, err = io.WriteString(connection, "GET /healthz HTTP/1.1\r\nX: ")
	require.NoError(t, err)
	require.NoError(t, connection.SetReadDeadline(time.Now().Add(time.Minute)))
	_, err = io.ReadAll(connection)
	require.NoError(t, err, "the server's end of it")
	require.NoError(t, connection.Close())
	cancel()
	require.NoError(t, <-ended)
}
