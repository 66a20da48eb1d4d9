package proxystore_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/proxystore"
)

// Any request is answered in the form of the package, and only a success
// changes something.
func FuzzHandler(f *testing.F) {
	for _, seed := range [][3]string{
		{"POST", "/segments/distributor/shop/new?offset=1&step=1", ""},
		{"PATCH", "/segments/shop/orders?step=10", ""},
		{"GET", "/v1/counters/shop/orders", ""},
		{"PATCH", "/v1/counters/shop/orders?to=500", ""},
		{"GET", "/v1/records/shop/orders", ""},
		{"POST", "/v1/records/shop/orders", `{"old":"YQ==","value":"Yg=="}`},
		{"PATCH", "/segments/a%2Fb/%zz?step=1&step=%", "x"},
		{"", "/segments/../..?;", "{"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, method, target, body string) {
		u, err := url.ParseRequestURI(target)
		if err != nil {
			return // http.Server refuses it
		}
		r := httptest.NewRequest(http.MethodGet, "/", strings.NewReader(body))
		r.Method, r.URL = method, u
		memory := store.NewMemory()
		memory.Restore(store.Contents{
			Counters: map[string]int64{"shop.orders": 100}, Records: map[string][]byte{"shop.orders": []byte("a")},
		})
		before := memory.Contents()
		w := httptest.NewRecorder()
		proxystore.NewHandler(memory, proxystore.HandlerOptions{}).ServeHTTP(w, r)
		if w.Code >= 400 {
			var e struct{ Code, Msg string }
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &e))
			require.NotEmpty(t, e.Code)
			require.NotEmpty(t, e.Msg)
			require.Contains(t, []int{400, 404, 405, 409, 413, 500}, w.Code)
			require.NotEqual(t, "failed", e.Code)
		} else {
			require.Contains(t, []int{200, 204}, w.Code)
			require.Contains(t, []string{"GET", "PATCH", "POST"}, method)
		}
		if w.Code >= 400 || method == http.MethodGet {
			require.Equal(t, before, memory.Contents())
		}
	})
}

// Whatever a server answers: a number is what the answer's digits say, and a
// change that gets no good answer is unknown or known not to have taken place.
func FuzzAnswer(f *testing.F) {
	f.Add(200, "9007199254740993", "")
	f.Add(200, "", "true")
	f.Add(204, "", "")
	f.Add(307, "", "")
	f.Add(400, `{"code":"400","msg":"m"}`, "")
	f.Add(500, `{"code":"no_counter","msg":"m"}`, "")
	f.Add(500, `{"code":"500","msg":null,"errors":[]}`, "")
	f.Add(404, "<html>", "")
	digits := regexp.MustCompile(`^[ \t\r\n]*(0|[1-9][0-9]*)[ \t\r\n]*$`)
	f.Fuzz(func(t *testing.T, status int, body, created string) {
		client := openWith(t, "http://host", tripper(func(*http.Request) (*http.Response, error) {
			return respond(status, body, "Go-Stamp-Created", created), nil
		}))
		for name, call := range calls(client, orders) {
			result, err := call(t.Context())
			if err != nil {
				var answer *proxystore.AnswerError
				require.ErrorAs(t, err, &answer)
				require.Equal(t, status, answer.Status)
				if status == http.StatusOK && isChange(name) {
					require.ErrorIs(t, err, store.ErrUnknownOutcome)
				}
				continue
			}
			switch got := result.(type) {
			case bool:
				require.Empty(t, body)
				require.Equal(t, created == "true", got)
			case int64:
				found := digits.FindStringSubmatch(body)
				require.NotNil(t, found)
				want, ok := new(big.Int).SetString(found[1], 10)
				require.True(t, ok)
				require.Equal(t, want.String(), big.NewInt(got).String())
				require.True(t, name == "peek" || got >= exact)
			case []byte:
				require.Equal(t, body, string(got))
			}
			require.Contains(t, []int{200, 204}, status)
		}
	})
}

// A key arrives as it is, or is refused before anything is sent.
func FuzzKey(f *testing.F) {
	for _, name := range []string{"orders", "a b", "a%2Fb", "..", ".", "a/b", "\x00", "é;?#", "+", `\`, "distributor"} {
		f.Add("shop", name)
		f.Add(name, "orders")
	}
	f.Fuzz(func(t *testing.T, namespace, name string) {
		key := store.Key{Namespace: namespace, Name: name}
		seen := &seenKeys{Memory: store.NewMemory()}
		client := openWith(t, "http://host", direct(proxystore.NewHandler(seen, proxystore.HandlerOptions{})))
		refused := namespace == "" || slices.Contains([]string{".", ".."}, namespace) || slices.Contains([]string{"", ".", ".."}, name) ||
			strings.ContainsAny(namespace+name, "/\x00") || strings.ToValidUTF8(namespace, "") != namespace ||
			strings.ToValidUTF8(name, "") != name || len(namespace)+1+len(name) > proxystore.MaxKey
		for _, call := range calls(client, key) {
			seen.keys = nil
			_, err := call(t.Context())
			require.Equal(t, refused, errors.Is(err, store.ErrInvalid), err)
			if refused {
				require.Empty(t, seen.keys)
			} else {
				require.Equal(t, []store.Key{key}, seen.keys)
			}
		}
	})
}

// seenKeys keeps the keys that a store is asked for.
type seenKeys struct {
	*store.Memory
	keys []store.Key
}

func (s *seenKeys) Create(ctx context.Context, key store.Key, start int64) (bool, error) {
	s.keys = append(s.keys, key)
	return s.Memory.Create(ctx, key, start)
}

func (s *seenKeys) Allocate(ctx context.Context, key store.Key, n int64) (int64, error) {
	s.keys = append(s.keys, key)
	return s.Memory.Allocate(ctx, key, n)
}

func (s *seenKeys) Peek(ctx context.Context, key store.Key) (int64, error) {
	s.keys = append(s.keys, key)
	return s.Memory.Peek(ctx, key)
}

func (s *seenKeys) Raise(ctx context.Context, key store.Key, to int64) (int64, error) {
	s.keys = append(s.keys, key)
	return s.Memory.Raise(ctx, key, to)
}

func (s *seenKeys) Get(ctx context.Context, key store.Key) ([]byte, error) {
	s.keys = append(s.keys, key)
	return s.Memory.Get(ctx, key)
}

func (s *seenKeys) CompareAndSet(ctx context.Context, key store.Key, old, value []byte) error {
	s.keys = append(s.keys, key)
	return s.Memory.CompareAndSet(ctx, key, old, value)
}
