package proxystore_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/proxystore"
)

// exact is a number that a float64 doesn't hold.
const exact = 1<<53 + 1

// tripper is a transport that answers by itself.
type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func respond(status int, body string, header ...string) *http.Response {
	h := http.Header{}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))}
}

// calls are those of a client by name.
func calls(c *proxystore.Client, key store.Key) map[string]func(context.Context) (any, error) {
	return map[string]func(context.Context) (any, error){
		"create":   func(ctx context.Context) (any, error) { return c.Create(ctx, key, exact) },
		"allocate": func(ctx context.Context) (any, error) { return c.Allocate(ctx, key, exact) },
		"peek":     func(ctx context.Context) (any, error) { return c.Peek(ctx, key) },
		"raise":    func(ctx context.Context) (any, error) { return c.Raise(ctx, key, exact) },
		"get":      func(ctx context.Context) (any, error) { return c.Get(ctx, key) },
		"compare and set": func(ctx context.Context) (any, error) {
			return nil, c.CompareAndSet(ctx, key, []byte("a"), []byte("b"))
		},
	}
}

func isChange(call string) bool { return call != "peek" && call != "get" }

// The requests, as they arrive at a server, byte for byte.
func TestRequests(t *testing.T) {
	var line, body string
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusTeapot)
			return
		}
		line, body = r.Method+" "+r.RequestURI, string(data)
		switch {
		case strings.HasPrefix(r.URL.Path, "/v1/records/"):
			w.WriteHeader(http.StatusNoContent)
		case r.Method != http.MethodPost:
			_, _ = w.Write([]byte("9223372036854775807"))
		}
	}))
	client := open(t, url)
	for _, key := range []struct {
		key  store.Key
		path string
	}{
		{orders, "shop/orders"},
		{store.Key{Namespace: "a b", Name: "o@2026;x?%#é"}, "a%20b/o@2026%3Bx%3F%25%23%C3%A9"},
	} {
		for call, want := range map[string]struct {
			line, body string
			result     any
		}{
			"create":          {"POST /segments/distributor/" + key.path + "?offset=9007199254740993&step=1", "", false},
			"allocate":        {"PATCH /segments/" + key.path + "?step=9007199254740993", "", int64(math.MaxInt64)},
			"peek":            {"GET /v1/counters/" + key.path, "", int64(math.MaxInt64)},
			"raise":           {"PATCH /v1/counters/" + key.path + "?to=9007199254740993", "", int64(math.MaxInt64)},
			"get":             {"GET /v1/records/" + key.path, "", []byte(nil)},
			"compare and set": {"POST /v1/records/" + key.path, `{"old":"YQ==","value":"Yg=="}`, nil},
		} {
			result, err := calls(client, key.key)[call](t.Context())
			require.NoError(t, err, call)
			require.Equal(t, want.result, result, call)
			require.Equal(t, want.line, line, call)
			require.Equal(t, want.body, body, call)
		}
	}
}

func TestAnswersToAllocate(t *testing.T) {
	for name, tt := range map[string]struct {
		status int
		body   string
		want   int64 // 0: an error
		is     error
		known  bool // an error without effect
	}{
		"number":              {200, "9007199254740993", exact, nil, false},
		"number and newline":  {200, " 9007199254740993\r\n", exact, nil, false},
		"largest":             {200, "9223372036854775807", math.MaxInt64, nil, false},
		"less than was asked": {200, "9007199254740992", 0, nil, false},
		"too large":           {200, "9223372036854775808", 0, nil, false},
		"negative":            {200, "-9007199254740993", 0, nil, false},
		"float":               {200, "9007199254740993.0", 0, nil, false},
		"exponent":            {200, "1e18", 0, nil, false},
		"leading zero":        {200, "09007199254740993", 0, nil, false},
		"sign":                {200, "+9007199254740993", 0, nil, false},
		"text":                {200, `"9007199254740993"`, 0, nil, false},
		"two":                 {200, "9007199254740993 1", 0, nil, false},
		"empty":               {200, "", 0, nil, false},
		"null":                {200, "null", 0, nil, false},
		"page":                {200, "<html>" + strings.Repeat("welcome ", 1000), 0, nil, false},
		"oversized":           {200, strings.Repeat(" ", 65536) + "9007199254740993", 0, nil, false},
		"no content":          {204, "", 0, nil, false},
		"accepted":            {202, "9007199254740993", 0, nil, false},

		"no counter":      {500, `{"code":"no_counter","msg":"m"}`, 0, store.ErrNoCounter, true},
		"exhausted":       {500, `{"code":"exhausted","msg":"m"}`, 0, store.ErrExhausted, true},
		"failed":          {500, `{"code":"failed","msg":"m"}`, 0, nil, true},
		"unknown outcome": {500, `{"code":"unknown_outcome","msg":"m"}`, 0, nil, false},
		"bad input":       {400, `{"code":"400","msg":"m"}`, 0, store.ErrInvalid, true},
		"CosId's 400":     {400, `{"code":"500","msg":"m","errors":[]}`, 0, nil, false},
		"CosId's 500":     {500, `{"code":"500","msg":null,"errors":[]}`, 0, nil, false},
		"no code":         {500, `{"msg":"m"}`, 0, nil, false},
		"code of no text": {500, `{"code":1,"msg":"m"}`, 0, nil, false},
		"bad gateway":     {502, "<html>", 0, nil, false},
		"gateway timeout": {504, "", 0, nil, false},
		"unavailable":     {503, "", 0, nil, false},
		"unauthorized":    {401, "", 0, nil, true},
		"no path":         {404, "", 0, nil, true},
		"no method":       {405, "", 0, nil, true},
		"too many":        {429, "", 0, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			client := openWith(t, "http://host", tripper(func(*http.Request) (*http.Response, error) {
				return respond(tt.status, tt.body), nil
			}))
			got, err := client.Allocate(t.Context(), orders, exact)
			require.Equal(t, tt.want, got)
			if tt.want != 0 {
				require.NoError(t, err)
				return
			}
			var answer *proxystore.AnswerError
			require.ErrorAs(t, err, &answer)
			require.Equal(t, tt.status, answer.Status)
			require.Less(t, len(err.Error()), 500)
			require.Equal(t, !tt.known, errors.Is(err, store.ErrUnknownOutcome), err)
			for _, sentinel := range []error{store.ErrNoCounter, store.ErrExhausted, store.ErrConflict, store.ErrInvalid} {
				require.Equal(t, errors.Is(tt.is, sentinel), errors.Is(err, sentinel), sentinel)
			}
		})
	}
}

func TestAnswersToCreate(t *testing.T) {
	for name, tt := range map[string]struct {
		answer  *http.Response
		created bool
		ok      bool
	}{
		"created":        {respond(200, "", "Go-Stamp-Created", "true"), true, true},
		"there already":  {respond(200, "", "Go-Stamp-Created", "false"), false, true},
		"CosId":          {respond(200, ""), false, true},
		"other header":   {respond(200, "", "Go-Stamp-Created", "maybe"), false, false},
		"page of a wall": {respond(200, "<html>log in</html>"), false, false},
		"no content":     {respond(204, ""), false, false},
	} {
		t.Run(name, func(t *testing.T) {
			client := openWith(t, "http://host", tripper(func(*http.Request) (*http.Response, error) { return tt.answer, nil }))
			created, err := client.Create(t.Context(), orders, 0)
			require.Equal(t, tt.created, created)
			if tt.ok {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, store.ErrUnknownOutcome)
			}
		})
	}
}

func TestAnswersToOthers(t *testing.T) {
	for name, tt := range map[string]struct {
		call   string
		answer *http.Response
		want   string
	}{
		"raised too low": {
			"raise", respond(200, "5"),
			`store: outcome unknown: proxystore: PATCH http://host/v1/counters/shop/orders?to=9007199254740993: status 200: ` +
				`answer is "5", want digits, 9007199254740993 to 9223372036854775807`,
		},
		"no number": {
			"peek", respond(200, "0x1"),
			`proxystore: GET http://host/v1/counters/shop/orders: status 200: answer is "0x1", want digits, 0 to 9223372036854775807`,
		},
		"empty record": {
			"get", respond(200, ""),
			`proxystore: GET http://host/v1/records/shop/orders: status 200: answer is "", want 1 byte or more`,
		},
		"swap with an answer": {
			"compare and set", respond(200, "ok"),
			`store: outcome unknown: proxystore: POST http://host/v1/records/shop/orders: status 200: answer is "ok", want status 204`,
		},
		"conflict": {
			"compare and set", respond(409, `{"code":"conflict","msg":"other"}`),
			`proxystore: POST http://host/v1/records/shop/orders: status 409, code "conflict": other`,
		},
		"no JSON": {
			"peek", respond(503, "down\xff"),
			`proxystore: GET http://host/v1/counters/shop/orders: status 503: "down` + "\uFFFD" + `"`,
		},
		"no message": {
			"allocate", respond(500, `{"code":"500","msg":null}`),
			`store: outcome unknown: proxystore: PATCH http://host/segments/shop/orders?step=9007199254740993: ` +
				`status 500, code "500": no message`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			client := openWith(t, "http://host", tripper(func(*http.Request) (*http.Response, error) { return tt.answer, nil }))
			_, err := calls(client, orders)[tt.call](t.Context())
			require.EqualError(t, err, tt.want)
		})
	}
}

// A password in the URL is sent, and not shown.
func TestPasswordIsNotShown(t *testing.T) {
	client := openWith(t, "http://me:secret@host", tripper(func(r *http.Request) (*http.Response, error) {
		_, password, _ := r.BasicAuth()
		require.Equal(t, "secret", password)
		return respond(500, ""), nil
	}))
	for _, call := range calls(client, orders) {
		_, err := call(t.Context())
		require.ErrorContains(t, err, "http://me:xxxxx@host")
		require.NotContains(t, err.Error(), "secret")
	}
}

func TestKeysThatHaveNoPath(t *testing.T) {
	client := openWith(t, "http://host", tripper(func(*http.Request) (*http.Response, error) {
		t.Error("the server was asked")
		return respond(500, ""), nil
	}))
	for _, key := range []store.Key{
		{Namespace: "a/b", Name: "c"},
		{Namespace: "a", Name: "b/c"},
		{Namespace: "a", Name: "b\x00"},
		{Namespace: ".", Name: "c"},
		{Namespace: "a", Name: ".."},
		{Namespace: "a", Name: strings.Repeat("n", proxystore.MaxKey)},
	} {
		for name, call := range calls(client, key) {
			_, err := call(t.Context())
			require.ErrorIs(t, err, store.ErrInvalid, "%s %q", name, key)
			require.ErrorAs(t, err, new(*store.ArgumentError))
		}
	}
	err := client.CompareAndSet(t.Context(), orders, nil, make([]byte, proxystore.MaxValue+1))
	require.EqualError(t, err, "store: length of value is 65537, want 1 to 65536")
}

func TestOptions(t *testing.T) {
	const bound = ", want http or https, a host, and neither query nor fragment"
	for name, tt := range map[string]struct {
		opts proxystore.ClientOptions
		want string // empty: none
	}{
		"host":       {proxystore.ClientOptions{URL: "http://host"}, ""},
		"path":       {proxystore.ClientOptions{URL: "https://host:8443/ids/"}, ""},
		"empty":      {proxystore.ClientOptions{}, `proxystore: store: URL is ""` + bound},
		"no scheme":  {proxystore.ClientOptions{URL: "host:80"}, `proxystore: store: URL is "host:80"` + bound},
		"other":      {proxystore.ClientOptions{URL: "ftp://host"}, `proxystore: store: URL is "ftp://host"` + bound},
		"no host":    {proxystore.ClientOptions{URL: "http://:80"}, `proxystore: store: URL is "http://:80"` + bound},
		"query":      {proxystore.ClientOptions{URL: "http://host?"}, `proxystore: store: URL is "http://host?"` + bound},
		"fragment":   {proxystore.ClientOptions{URL: "http://host#a"}, `proxystore: store: URL is "http://host#a"` + bound},
		"unreadable": {proxystore.ClientOptions{URL: "http://me:secret@host:x"}, `proxystore: store: URL is "unreadable"` + bound},
		"both": {
			proxystore.ClientOptions{URL: "me:secret@host", Timeout: -time.Second},
			`proxystore: store: URL is "me:secret@host"` + bound + "\nstore: timeout is -1s, want 0 or more",
		},
	} {
		t.Run(name, func(t *testing.T) {
			client, err := proxystore.NewClient(tt.opts)
			if tt.want == "" {
				require.NoError(t, err)
				require.NotNil(t, client)
				return
			}
			require.Nil(t, client)
			require.EqualError(t, err, tt.want)
			require.ErrorIs(t, err, store.ErrInvalid)
		})
	}
}

func ExampleUnsupportedError() {
	client, err := proxystore.NewClient(proxystore.ClientOptions{
		URL: "http://cosid-proxy",
		HTTPClient: &http.Client{Transport: tripper(func(*http.Request) (*http.Response, error) {
			return respond(http.StatusNotFound, ""), nil
		})},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = client.Peek(context.Background(), store.Key{Namespace: "shop", Name: "orders"})
	if errors.Is(err, errors.ErrUnsupported) {
		fmt.Println("no audit with this server")
	}
	// Output: no audit with this server
}
