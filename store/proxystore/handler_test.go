package proxystore_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/proxystore"
	"github.com/stampid/go-stamp/store/storetest"
)

// onlyCounters hides that a store has records.
type onlyCounters struct{ store.Counters }

func ask(h http.Handler, method, target, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, target, strings.NewReader(body)))
	return w
}

// The answers, byte for byte. Each row works on the counter shop.orders, at
// 2^53, and the record shop.orders, "a".
func TestHandlerAnswers(t *testing.T) {
	const number = ", want one number, "
	for name, tt := range map[string]struct {
		method, target, body string
		status               int
		want                 string // of an error, its code and message
	}{
		"create":                {"POST", "/segments/distributor/shop/new?offset=5&step=10", "", 200, ""},
		"create again":          {"POST", "/segments/distributor/shop/orders?offset=5&step=10", "", 200, ""},
		"allocate":              {"PATCH", "/segments/shop/orders?step=1", "", 200, "9007199254740993"},
		"other parameters":      {"PATCH", "/segments/shop/orders?step=1&trace=x", "", 200, "9007199254740993"},
		"peek":                  {"GET", "/v1/counters/shop/orders", "", 200, "9007199254740992"},
		"raise":                 {"PATCH", "/v1/counters/shop/orders?to=9007199254740995", "", 200, "9007199254740995"},
		"get":                   {"GET", "/v1/records/shop/orders", "", 200, "a"},
		"get nothing":           {"GET", "/v1/records/shop/new", "", 204, ""},
		"compare and set":       {"POST", "/v1/records/shop/orders", `{"old":"YQ==","value":"AAH/"}`, 204, ""},
		"compare with nothing":  {"POST", "/v1/records/shop/new", `{"value":"AAH/"}`, 204, ""},
		"no counter":            {"PATCH", "/segments/shop/new?step=1", "", 500, `no_counter store: no such counter: "shop.new"`},
		"no counter to peek at": {"GET", "/v1/counters/shop/new", "", 500, `no_counter store: no such counter: "shop.new"`},
		"no counter to raise":   {"PATCH", "/v1/counters/shop/new?to=1", "", 500, `no_counter store: no such counter: "shop.new"`},
		"exhausted": {
			"PATCH", "/segments/shop/orders?step=9223372036854775807", "", 500,
			`exhausted store: counter exhausted: "shop.orders" stands at 9007199254740992, no room for 9223372036854775807 more`,
		},
		"conflict": {"POST", "/v1/records/shop/orders", `{"old":"","value":"Yg=="}`, 409, `conflict store: record has changed: "shop.orders"`},

		"step 0":         {"PATCH", "/segments/shop/orders?step=0", "", 400, `400 store: step is "0"` + number + `1 to 9223372036854775807`},
		"step -1":        {"PATCH", "/segments/shop/orders?step=-1", "", 400, `400 store: step is "-1"` + number + `1 to 9223372036854775807`},
		"step 2^63":      {"PATCH", "/segments/shop/orders?step=9223372036854775808", "", 400, `400 store: step is "9223372036854775808"` + number + `1 to 9223372036854775807`},
		"no step":        {"PATCH", "/segments/shop/orders", "", 400, `400 store: step is ""` + number + `1 to 9223372036854775807`},
		"step twice":     {"PATCH", "/segments/shop/orders?step=1&step=2", "", 400, `400 store: step is "1, 2"` + number + `1 to 9223372036854775807`},
		"step is a text": {"PATCH", "/segments/shop/orders?step=1e3", "", 400, `400 store: step is "1e3"` + number + `1 to 9223372036854775807`},
		"to -1":          {"PATCH", "/v1/counters/shop/orders?to=-1", "", 400, `400 store: to is "-1"` + number + `0 to 9223372036854775807`},
		"broken query": {
			"PATCH", "/segments/shop/orders?step=1;", "", 400,
			`400 store: query is "step=1;", want parameters` + "\n" + `store: step is ""` + number + `1 to 9223372036854775807`,
		},
		"all that is wrong": {
			"POST", "/segments/distributor/%00/..?offset=a&step=b", "c", 400,
			`400 store: namespace is "\x00", want no NUL` + "\n" + `store: name is "..", want neither "." nor ".."` + "\n" +
				`store: offset is "a"` + number + "0 to 9223372036854775807\n" + `store: step is "b"` + number + "1 to 9223372036854775807\n" +
				`store: body is "c", want none`,
		},
		"slash":         {"GET", "/v1/counters/shop/a%2Fb", "", 400, `400 store: name is "a/b", want none of "/"`},
		"not UTF-8":     {"GET", "/v1/counters/shop/%FF", "", 400, `400 store: name is "\xff", want UTF-8`},
		"empty name":    {"GET", "/v1/counters/shop/", "", 400, `400 store: name is "", want 1 character or more`},
		"body to peek":  {"GET", "/v1/counters/shop/orders", "x", 400, `400 store: body is "x", want none`},
		"form":          {"PATCH", "/segments/shop/orders?step=1", "step=2", 400, `400 store: body is "s", want none`},
		"body no JSON":  {"POST", "/v1/records/shop/orders", "x", 400, `400 store: body is "x", want {"old":"…","value":"…"} in base64`},
		"body and more": {"POST", "/v1/records/shop/orders", `{} {}`, 400, `400 store: body is "{} {}", want {"old":"…","value":"…"} in base64`},
		"no base64":     {"POST", "/v1/records/shop/orders", `{"value":"?"}`, 400, `400 store: body is "{\"value\":\"?\"}", want {"old":"…","value":"…"} in base64`},
		"no value":      {"POST", "/v1/records/shop/orders", `{"old":"YQ=="}`, 400, `400 store: length of value is 0, want 1 to 65536`},
		"large body":    {"POST", "/v1/records/shop/orders", strings.Repeat(" ", 4*65536+1), 413, `413 http: request body too large`},

		"root":         {"GET", "/", "", 404, "404 no such path"},
		"other":        {"PATCH", "/segments/shop?step=1", "", 404, "404 no such path"},
		"deeper":       {"PATCH", "/segments/a/b/c?step=1", "", 404, "404 no such path"},
		"wrong method": {"GET", "/segments/shop/orders?step=1", "", 405, "405 method is GET, want PATCH"},
		"other method": {"HEAD", "/v1/counters/shop/orders", "", 405, "405 method is HEAD, want GET, PATCH"},
		"put":          {"PUT", "/v1/records/shop/orders", "", 405, "405 method is PUT, want GET, POST"},
		"no post":      {"POST", "/segments/shop/orders?step=1", "", 405, "405 method is POST, want PATCH"},
		"distributor":  {"PATCH", "/segments/distributor/shop/orders?step=1", "", 405, "405 method is PATCH, want POST"},
	} {
		t.Run(name, func(t *testing.T) {
			memory := store.NewMemory()
			memory.Restore(store.Contents{
				Counters: map[string]int64{"shop.orders": 1 << 53}, Records: map[string][]byte{"shop.orders": []byte("a")},
			})
			h := proxystore.NewHandler(memory, proxystore.HandlerOptions{
				Report: func(_ *http.Request, err error) { t.Errorf("%v was reported", err) },
			})
			w := ask(h, tt.method, tt.target, tt.body)
			require.Equal(t, tt.status, w.Code, w.Body)
			require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
			want := tt.want
			if tt.status >= 400 {
				code, msg, _ := strings.Cut(tt.want, " ")
				quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(msg)
				want = fmt.Sprintf(`{"code":"%s","msg":"%s"}`, code, quoted)
				require.Equal(t, "application/json", w.Header().Get("Content-Type"))
			}
			require.Equal(t, want, w.Body.String())
			if allowed, ok := strings.CutPrefix(tt.want, "405 method is "+tt.method+", want "); ok {
				require.Equal(t, allowed, w.Header().Get("Allow"))
			}
		})
	}
}

func TestHandlerSaysWhetherItCreated(t *testing.T) {
	h := proxystore.NewHandler(store.NewMemory(), proxystore.HandlerOptions{})
	for _, want := range []string{"true", "false", "false"} {
		w := ask(h, "POST", "/segments/distributor/shop/orders?offset=5&step=10", "")
		require.Equal(t, 200, w.Code)
		require.Equal(t, want, w.Header().Get("Go-Stamp-Created"))
	}
}

func TestStoreWithoutRecords(t *testing.T) {
	client := open(t, serveStore(t, onlyCounters{store.NewMemory()}))
	_, err := client.Get(t.Context(), orders)
	require.ErrorAs(t, err, new(*proxystore.UnsupportedError))
	require.ErrorContains(t, err, "doesn't offer Get, without which there are no fences and leases")
	_, err = client.Peek(t.Context(), orders)
	require.ErrorIs(t, err, store.ErrNoCounter)
}

// What the store's errors say arrives at the client's caller, through one server
// and through two.
func TestStoreErrors(t *testing.T) {
	driver := errors.New("driver: disk is full")
	for name, tt := range map[string]struct {
		err      error
		is       error // nil: none of package store
		reported bool
	}{
		"other":           {driver, nil, true},
		"unknown outcome": {fmt.Errorf("%w: %w", store.ErrUnknownOutcome, driver), store.ErrUnknownOutcome, true},
		"unknown conflict": {
			fmt.Errorf("%w: %w", store.ErrUnknownOutcome, store.ErrConflict), store.ErrUnknownOutcome, true,
		},
		"no counter": {fmt.Errorf("%w: x", store.ErrNoCounter), store.ErrNoCounter, false},
		"exhausted":  {store.ErrExhausted, store.ErrExhausted, false},
		"invalid":    {&store.ArgumentError{Field: "key", Value: "x", Bound: "short"}, store.ErrInvalid, false},
		"context":    {context.DeadlineExceeded, nil, true},
		"long":       {errors.New(strings.Repeat("é", 100_000)), nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			counters := store.Counters(failing{Counters: store.NewMemory(), err: tt.err})
			for range 2 { // over the store, then over the first client
				var reported error
				h := proxystore.NewHandler(counters, proxystore.HandlerOptions{
					Report: func(_ *http.Request, err error) { reported = err },
				})
				client := openWith(t, "http://host", direct(h))
				_, err := client.Allocate(t.Context(), orders, 1)
				require.Error(t, err)
				require.Less(t, len(err.Error()), 20_000)
				for _, sentinel := range []error{
					store.ErrUnknownOutcome, store.ErrNoCounter, store.ErrExhausted, store.ErrInvalid, store.ErrConflict,
				} {
					require.Equal(t, errors.Is(tt.is, sentinel), errors.Is(err, sentinel), sentinel)
				}
				require.Equal(t, tt.reported, reported != nil)
				counters = client
			}
		})
	}
}

type failing struct {
	store.Counters
	err error
}

func (f failing) Allocate(context.Context, store.Key, int64) (int64, error) { return 0, f.err }

// direct is a transport that calls a handler.
func direct(h http.Handler) http.RoundTripper {
	return tripper(func(r *http.Request) (*http.Response, error) {
		arrived := httptest.NewRequest(r.Method, r.URL.String(), r.Body).WithContext(r.Context())
		w := httptest.NewRecorder()
		h.ServeHTTP(w, arrived)
		return w.Result(), nil
	})
}

// A store that hangs holds no request longer than the handler's time-out.
func TestHandlerTimeout(t *testing.T) {
	hung := storetest.NewFaulty(store.NewMemory(), storetest.Script(storetest.OpAllocate, storetest.Fault{Kind: storetest.Hang}))
	h := proxystore.NewHandler(hung, proxystore.HandlerOptions{Timeout: 10 * time.Millisecond})
	client := open(t, serve(t, h))
	_, err := client.Create(t.Context(), orders, 0)
	require.NoError(t, err)
	_, err = client.Allocate(t.Context(), orders, 1)
	var answer *proxystore.AnswerError
	require.ErrorAs(t, err, &answer)
	require.Contains(t, answer.Message, context.DeadlineExceeded.Error())
}

// A store that panics ends the connection, as http.Server has it.
func TestStorePanics(t *testing.T) {
	server := httptest.NewUnstartedServer(proxystore.NewHandler(onlyCounters{}, proxystore.HandlerOptions{}))
	server.Config.ErrorLog = nopLogger()
	server.Start()
	t.Cleanup(server.Close)
	_, err := open(t, server.URL).Allocate(t.Context(), orders, 1)
	require.ErrorIs(t, err, store.ErrUnknownOutcome)
}

// Each allocation that the store was asked for is told, and nothing else.
func TestAllocationsAreTold(t *testing.T) {
	var told []string
	h := proxystore.NewHandler(store.NewMemory(), proxystore.HandlerOptions{
		Allocated: func(key store.Key, n, maxID int64, err error) {
			told = append(told, fmt.Sprintf("%s %d %d %t", key, n, maxID, errors.Is(err, store.ErrNoCounter)))
		},
	})
	for _, request := range [][2]string{
		{http.MethodPatch, "/segments/shop/order?step=5"},
		{http.MethodPost, "/segments/distributor/shop/order?offset=100&step=5"},
		{http.MethodPatch, "/segments/shop/order?step=5"},
		{http.MethodPatch, "/segments/shop/order?step=0"},
		{http.MethodGet, "/v1/counters/shop/order"},
	} {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), request[0], request[1], nil))
	}
	require.Equal(t, []string{"shop.order 5 0 true", "shop.order 5 105 false"}, told)
}
