package main

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"
)

// The wire is CosId's, to the byte.
func TestServeSpeaksAsCosIdDoes(t *testing.T) {
	m := newMachine(t)
	s := m.serve(t)
	for _, exchange := range []struct {
		method, path string
		status       int
		body         string
	}{
		{"POST", "/segments/distributor/shop/order?offset=0&step=100", 200, ""},
		{"POST", "/segments/distributor/shop/order?offset=0&step=100", 200, ""},
		{"PATCH", "/segments/shop/order?step=100", 200, "100"},
		{"PATCH", "/segments/shop/order?step=1", 200, "101"},
		{"POST", "/segments/distributor/shop/order?offset=5000&step=100", 200, ""},
		{"PATCH", "/segments/shop/order?step=99", 200, "200"},
		{"POST", "/segments/distributor/shop/exact?offset=9007199254740993&step=1", 200, ""},
		{"PATCH", "/segments/shop/exact?step=1", 200, "9007199254740994"},
		{"POST", "/segments/distributor/%E5%95%86%E5%BA%97/a%20b%3F?offset=7&step=1", 200, ""},
		{"PATCH", "/segments/%E5%95%86%E5%BA%97/a%20b%3F?step=3", 200, "10"},
		{"GET", "/v1/counters/shop/order", 200, "200"},
		{"PATCH", "/v1/counters/shop/order?to=1000", 200, "1000"},
		{"PATCH", "/v1/counters/shop/order?to=1", 200, "1000"},
		{"PATCH", "/segments/shop/order?step=0", 400, `{"code":"400","msg":"…"}`},
		{"PATCH", "/segments/shop/order?step=-1", 400, `{"code":"400","msg":"…"}`},
		{"PATCH", "/segments/shop/order?step=9223372036854775808", 400, `{"code":"400","msg":"…"}`},
		{"PATCH", "/segments/shop/order", 400, `{"code":"400","msg":"…"}`},
		{"POST", "/segments/distributor/shop/x?offset=-1&step=1", 400, `{"code":"400","msg":"…"}`},
		{"POST", "/segments/distributor/shop/x?offset=0&step=0", 400, `{"code":"400","msg":"…"}`},
		{"PATCH", "/segments/shop/none?step=1", 500, `{"code":"no_counter","msg":"…"}`},
		{"PATCH", "/segments/shop/order?step=9223372036854775807", 500, `{"code":"exhausted","msg":"…"}`},
		{"GET", "/segments/shop/order", 405, `{"code":"405","msg":"…"}`},
		{"GET", "/", 404, `{"code":"404","msg":"…"}`},
		{"GET", "/segments/shop/order/more", 404, `{"code":"404","msg":"…"}`},
		{"GET", "/segments//order/", 404, `{"code":"404","msg":"…"}`},
		{"GET", "/segments/../healthz", 405, `{"code":"405","msg":"…"}`},
		{"GET", "/healthz", 200, "ok\n"},
		{"HEAD", "/healthz", 200, ""},
		{"GET", "/readyz", 200, "ok\n"},
		{"POST", "/healthz", 405, ""},
	} {
		t.Run(exchange.method+" "+exchange.path, func(t *testing.T) {
			status, header, body := s.ask(t, exchange.method, exchange.path)
			require.Equal(t, exchange.status, status, body)
			if head, found := strings.CutSuffix(exchange.body, `…"}`); found {
				require.True(t, strings.HasPrefix(body, head) && strings.HasSuffix(body, `"}`), body)
			} else {
				require.Equal(t, exchange.body, body)
			}
			if exchange.method != "HEAD" {
				require.Equal(t, fmt.Sprint(len(body)), header.Get("Content-Length"))
			}
		})
	}
	require.Equal(t, "1001\n", m.done(t, "next", "--namespace", "shop", "order"), "it is the default store's counter")
}

// Requests of pages of other sites are no requests of a program.
func TestServeRefusesOtherSites(t *testing.T) {
	s := newMachine(t).serve(t)
	r, err := http.NewRequestWithContext(t.Context(), "POST", "http://"+s.address+"/segments/distributor/a/b?offset=0&step=1", nil)
	require.NoError(t, err)
	r.Header.Set("Origin", "https://example.org")
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusForbidden, answer.StatusCode)
	require.JSONEq(t, `{"code":"403","msg":"from a page of another site"}`, string(body))
	status, _, _ := s.ask(t, "GET", "/v1/counters/a/b")
	require.Equal(t, http.StatusInternalServerError, status, "nothing was created")
}

// hold keeps a file of SQLite locked until release is called.
func hold(t *testing.T, path string) (release func()) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate&_pragma=busy_timeout(5000)")
	require.NoError(t, err)
	tx, err := db.BeginTx(context.WithoutCancel(t.Context()), nil)
	require.NoError(t, err)
	return sync.OnceFunc(func() {
		require.NoError(t, tx.Rollback())
		require.NoError(t, db.Close())
	})
}

// half is a request that the server works on, and whose body isn't there yet.
type half struct {
	t          *testing.T
	connection net.Conn
	answers    *bufio.Reader
}

const swap = `{"old":"","value":"eA=="}`

func (s *serving) half(t *testing.T) *half {
	t.Helper()
	connection, err := net.Dial("tcp", s.address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	require.NoError(t, connection.SetDeadline(time.Now().Add(time.Minute)))
	_, err = fmt.Fprintf(connection, "POST /v1/records/a/b HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", len(swap))
	require.NoError(t, err)
	h := &half{t, connection, bufio.NewReader(connection)}
	line, err := h.answers.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "HTTP/1.1 100 Continue\r\n", line, "the handler reads")
	_, err = h.answers.ReadString('\n')
	require.NoError(t, err)
	return h
}

// finish sends the rest, and returns the status.
func (h *half) finish() int {
	h.t.Helper()
	_, err := io.WriteString(h.connection, swap)
	require.NoError(h.t, err)
	answer, err := http.ReadResponse(h.answers, nil)
	require.NoError(h.t, err)
	require.NoError(h.t, answer.Body.Close())
	return answer.StatusCode
}

// awaitLog waits for a text in the log.
func (s *serving) awaitLog(t *testing.T, text string) {
	t.Helper()
	require.Eventually(t, func() bool { return strings.Contains(s.logged(), text) }, time.Minute, 5*time.Millisecond)
}

func TestServeAnswersWhatItHasBegun(t *testing.T) {
	for _, number := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(number.String(), func(t *testing.T) {
			m := newMachine(t)
			s := m.serve(t)
			request := s.half(t)
			require.NoError(t, s.command.Process.Signal(number))
			s.awaitLog(t, `"msg":"stopping"`)
			require.Contains(t, s.logged(), `"requests":1}`)
			require.Eventually(t, func() bool { // the log comes first
				_, err := net.Dial("tcp", s.address)
				return err != nil
			}, time.Minute, 5*time.Millisecond, "no new requests")
			require.Equal(t, http.StatusNoContent, request.finish())
			require.Zero(t, s.wait(), s.logged())
			require.Contains(t, s.logged(), `"msg":"stopped"`)
			status, _, body := m.serve(t).ask(t, "GET", "/v1/records/a/b")
			require.Equal(t, http.StatusOK, status)
			require.Equal(t, "x", body, "it was carried out")
		})
	}
}

// What takes longer than the grace is cut off, and that is said.
func TestServeCutsOffAfterItsGrace(t *testing.T) {
	s := newMachine(t).serve(t, "--grace", "300ms")
	request := s.half(t)
	require.NoError(t, s.command.Process.Signal(syscall.SIGTERM))
	_, err := io.ReadAll(request.connection)
	require.NoError(t, err)
	require.Equal(t, exitFailed, s.wait())
	require.Contains(t, s.logged(), "requests were cut off after 300ms: 1")
}

// A second signal doesn't wait.
func TestServeIsKilledByASecondSignal(t *testing.T) {
	s := newMachine(t).serve(t)
	s.half(t)
	require.NoError(t, s.command.Process.Signal(syscall.SIGTERM))
	s.awaitLog(t, `"msg":"stopping"`)
	require.NoError(t, s.command.Process.Signal(syscall.SIGTERM))
	s.wait()
	require.Equal(t, "signal: terminated", s.command.ProcessState.String())
}

// The time-out of the store is answered in time, as what it is.
func TestServeEndsCallsToTheStore(t *testing.T) {
	m := newMachine(t)
	m.done(t, "next", "order")
	s := m.serve(t, "--timeout", "300ms")
	release := hold(t, filepath.Join(m.folder, "ids.db"))
	defer release()
	status, _, body := s.ask(t, "PATCH", "/segments/default/order?step=5")
	require.Equal(t, http.StatusInternalServerError, status)
	require.Regexp(t, `^\{"code":"(unknown_outcome|failed)",`, body)
	s.awaitLog(t, `"msg":"the store failed"`)
	release()
	require.Eventually(t, func() bool {
		status, _, _ := s.ask(t, "GET", "/readyz")
		return status == http.StatusOK
	}, 10*time.Second, 10*time.Millisecond)
}

// A server that is killed in the middle repeats nothing.
func TestKilledServerNeverRepeats(t *testing.T) {
	m := newMachine(t)
	var outputs []string
	for range 3 {
		s := m.serve(t)
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range 3 {
			c := m.command("next", "--store", "http://"+s.address, "-n", "100000000", "--step", "10", "order")
			out, first := begin(t, c)
			wg.Go(func() {
				rest := whole(out)
				mu.Lock()
				defer mu.Unlock()
				outputs = append(outputs, first+rest)
			})
		}
		require.NoError(t, s.command.Process.Kill())
		wg.Wait()
	}
	require.GreaterOrEqual(t, len(numbers(t, outputs...)), 9)
}

func TestServeReadiness(t *testing.T) {
	m := newMachine(t)
	behind := m.serve(t)
	s := m.serve(t, "--store", "http://u:s3cret@"+behind.address, "--timeout", "2s")
	status, _, _ := s.ask(t, "GET", "/readyz")
	require.Equal(t, http.StatusOK, status)
	require.NoError(t, behind.command.Process.Kill())
	behind.wait()
	status, _, body := s.ask(t, "GET", "/readyz")
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Equal(t, "the store doesn't answer\n", body)
	status, _, _ = s.ask(t, "GET", "/healthz")
	require.Equal(t, http.StatusOK, status)
	_, _, body = s.ask(t, "PATCH", "/segments/a/b?step=1")
	require.NotContains(t, body+s.logged(), "s3cret")
}

// raw sends text on a connection of its own, and returns what comes back.
func (s *serving) raw(t *testing.T, text string) string {
	t.Helper()
	connection, err := net.Dial("tcp", s.address)
	require.NoError(t, err)
	defer func() { _ = connection.Close() }()
	require.NoError(t, connection.SetDeadline(time.Now().Add(time.Minute)))
	_, _ = io.WriteString(connection, text) // may be refused in the middle
	answer, _ := io.ReadAll(connection)
	return string(answer)
}

func TestServeBearsHostileClients(t *testing.T) {
	s := newMachine(t).serve(t, "-v")
	const end = " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
	for text, want := range map[string]string{
		"GET /healthz" + end + "X: " + strings.Repeat("x", 1<<20) + "\r\n\r\n":                            "431",
		"GET /" + strings.Repeat("x", 1<<20) + end + "\r\n":                                               "431",
		"POST /v1/records/a/b" + end + "Content-Length: 9999999999\r\n\r\n{" + strings.Repeat(" ", 1<<20): "413",
		"PATCH /segments/a/b?step=1" + end + "Content-Length: 3\r\n\r\nabc":                               "400",
		"PATCH /segments/a/b?step=1" + end + "Content-Length: -3\r\n\r\n":                                 "400",
		"PATCH /segments/%00/b?step=1" + end + "\r\n":                                                     "400",
		"PATCH /segments/%ff/b?step=1" + end + "\r\n":                                                     "400",
		"PATCH /segments/a%2Fb/c?step=1" + end + "\r\n":                                                   "400",
		"PATCH /segments/a/b?step=1;step=2" + end + "\r\n":                                                "400",
		"PATCH /segments/a/b?step=1&step=2" + end + "\r\n":                                                "400",
		"PATCH /segments/" + strings.Repeat("x", 5000) + "/b?step=1" + end + "\r\n":                       "400",
		"\x16\x03\x01\x02\x00":          "400",
		"GET / HTTP/9.9\r\n\r\n":        "505",
		"GET /\x1b[2J HTTP/1.1\r\n\r\n": "400",
	} {
		answer := s.raw(t, text)
		require.Regexp(t, `^HTTP/1\.[01] `+want+` `, answer, "%.60q", text)
		require.NotContains(t, answer, "goroutine")
	}
	// One that says nothing more is hung up on.
	require.Contains(t, []string{"", "HTTP/1.1 408"}, fmt.Sprintf("%.12s", s.raw(t, "GET /healthz HTTP/1.1\r\nX: ")))
	status, _, _ := s.ask(t, "GET", "/healthz")
	require.Equal(t, http.StatusOK, status)
	require.NotContains(t, s.logged(), "\x1b")
	require.NotContains(t, s.logged(), "panic")
}

func TestServeBeyondLoopbackIsWarnedOf(t *testing.T) {
	m := newMachine(t)
	require.NotContains(t, m.serve(t).logged(), "WARN")
	require.Contains(t, m.serve(t, "--listen", "0.0.0.0:0").logged(), "without credentials")
}

func TestServeThatCantStart(t *testing.T) {
	m := newMachine(t)
	taken := m.serve(t)
	for args, want := range map[string]string{
		"--listen " + taken.address:           "address already in use",
		"--store file:none":                   "the store isn't made yet: no such folder; --create makes it",
		"--store http://u:s3cret@127.0.0.1:1": "refused",
	} {
		code, out, message := m.run(t, append([]string{"serve"}, strings.Fields(args)...)...)
		require.Equal(t, exitFailed, code)
		require.Empty(t, out)
		require.Contains(t, message, want)
		require.NotContains(t, message, "s3cret")
	}
}

func TestServeUsage(t *testing.T) {
	requireUsage(t, "serve", map[string]string{
		"--listen 8080":      "--listen: ",
		"--grace 0s":         "--grace 0s isn't above 0",
		"--timeout 0s":       "--timeout 0s isn't above 0",
		"--log xml":          `no log "xml"; there are text, json`,
		"--store oracle://h": "unknown kind",
		"order":              "order",
	})
}
