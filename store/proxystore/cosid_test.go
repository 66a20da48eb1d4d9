package proxystore_test

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/proxystore"
)

// cosID behaves as CosId's proxy does: it knows the counters that were created
// since it started, by the store's text of their key.
type cosID struct {
	mu     sync.Mutex
	store  map[string]int64 // what the store behind it holds
	known  map[string]bool
	status int // of a path that it doesn't have: 404, or 500 on Spring Boot 3.2 and later
}

func (p *cosID) restart() { p.known = map[string]bool{} }

func (p *cosID) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	res := http.NewServeMux()
	res.HandleFunc("POST /segments/distributor/{namespace}/{name}", p.create)
	res.HandleFunc("PATCH /segments/{namespace}/{name}", p.allocate)
	res.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if p.status == http.StatusNotFound {
			http.NotFound(w, r)
			return
		}
		p.fail(w, p.status, strconv.Quote(`No static resource `+r.URL.Path+`.`))
	})
	res.ServeHTTP(w, r)
}

func (p *cosID) fail(w http.ResponseWriter, status int, msg string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"code":"500","msg":%s,"errors":[]}`, msg)
}

func key(r *http.Request) string { return r.PathValue("namespace") + "." + r.PathValue("name") }

func (p *cosID) create(w http.ResponseWriter, r *http.Request) {
	offset, err := strconv.ParseInt(r.FormValue("offset"), 10, 64)
	step, err2 := strconv.ParseInt(r.FormValue("step"), 10, 64)
	if err != nil || err2 != nil || step <= 0 {
		p.fail(w, http.StatusBadRequest, `"bad"`)
		return
	}
	p.known[key(r)] = true
	if _, ok := p.store[key(r)]; !ok {
		p.store[key(r)] = offset
	}
}

func (p *cosID) allocate(w http.ResponseWriter, r *http.Request) {
	step, err := strconv.ParseInt(r.FormValue("step"), 10, 64)
	if err != nil || step <= 0 {
		p.fail(w, http.StatusBadRequest, `"bad"`)
		return
	}
	if !p.known[key(r)] {
		p.fail(w, http.StatusInternalServerError, "null")
		return
	}
	p.store[key(r)] += step // wraps, as Java's numbers do
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprint(w, p.store[key(r)])
}

func TestWithCosID(t *testing.T) {
	for _, status := range []int{http.StatusNotFound, http.StatusInternalServerError} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			ctx := t.Context()
			proxy := &cosID{store: map[string]int64{}, known: map[string]bool{}, status: status}
			client := open(t, serve(t, proxy))

			_, err := client.Allocate(ctx, orders, 10)
			require.ErrorIs(t, err, store.ErrUnknownOutcome, "a missing counter is a failure like any other")
			require.NotErrorIs(t, err, store.ErrNoCounter)
			created, err := client.Create(ctx, orders, exact)
			require.NoError(t, err)
			require.False(t, created, "it doesn't say")
			maxID, err := client.Allocate(ctx, orders, 10)
			require.NoError(t, err)
			require.EqualValues(t, exact+10, maxID)

			proxy.restart()
			_, err = client.Allocate(ctx, orders, 10)
			require.ErrorIs(t, err, store.ErrUnknownOutcome)
			_, err = client.Create(ctx, orders, 0)
			require.NoError(t, err)
			maxID, err = client.Allocate(ctx, orders, 10)
			require.NoError(t, err)
			require.EqualValues(t, exact+20, maxID)

			for name, call := range calls(client, orders) {
				if name == "create" || name == "allocate" {
					continue
				}
				_, err := call(ctx)
				var unsupported *proxystore.UnsupportedError
				require.ErrorAs(t, err, &unsupported, name)
				require.Equal(t, status, unsupported.Answer.Status)
				require.ErrorIs(t, err, errors.ErrUnsupported)
				require.NotErrorIs(t, err, store.ErrUnknownOutcome)
				require.Regexp(t, "without which there are no (recovery and audit|fences and leases): ", err)
			}
		})
	}
}

// A counter that has passed MaxInt64 in Java is no number here.
func TestCosIDWraps(t *testing.T) {
	proxy := &cosID{store: map[string]int64{"shop.orders": 9223372036854775800}, known: map[string]bool{"shop.orders": true}}
	maxID, err := open(t, serve(t, proxy)).Allocate(t.Context(), orders, 10)
	require.Zero(t, maxID)
	require.ErrorIs(t, err, store.ErrUnknownOutcome)
	require.ErrorContains(t, err, `answer is "-9223372036854775806"`)
}
