package proxystore

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/stampid/go-stamp/store"
)

// HandlerOptions says how a store is served. Its zero value is of use.
type HandlerOptions struct {
	// Timeout is how long the store may take for one request. 0 or less:
	// [DefaultTimeout].
	Timeout time.Duration
	// Report is told of each error of the store that isn't the request's doing,
	// before it is answered. It is called by many goroutines at once. Nil: nobody.
	Report func(r *http.Request, err error)
	// Allocated is told of each allocation that the store was asked for, before it
	// is answered: of how many numbers, and what the store returned. It is called
	// by many goroutines at once. Nil: nobody.
	Allocated func(key store.Key, n, maxID int64, err error)
}

type handler struct {
	counters store.Counters
	records  store.Records  // nil: none
	expiring store.Expiring // nil: none
	timeout  time.Duration
	report   func(*http.Request, error)
	told     func(key store.Key, n, maxID int64, err error)
}

// NewHandler returns the server of a store, for an [http.Server], and below a
// path with [http.StripPrefix]. Records are served if counters is a
// [store.Records] too, and their times to live if it is a [store.Expiring]. It calls counters from many goroutines at once, each call
// with the request's context.
func NewHandler(counters store.Counters, opts HandlerOptions) http.Handler {
	h := &handler{counters: counters, timeout: opts.Timeout, report: opts.Report, told: opts.Allocated}
	h.records, _ = counters.(store.Records)
	h.expiring, _ = counters.(store.Expiring)
	if h.timeout <= 0 {
		h.timeout = DefaultTimeout
	}
	if h.report == nil {
		h.report = func(*http.Request, error) {}
	}
	if h.told == nil {
		h.told = func(store.Key, int64, int64, error) {}
	}
	return h
}

// ServeHTTP answers one request.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), h.timeout)
	defer cancel()
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	a, err := h.answer(ctx, r)
	if err != nil {
		a = errorAnswer(err)
		if a.report {
			h.report(r, err)
		}
	}
	a.write(w)
}

// answer carries out a request. Its error may be of any kind.
func (h *handler) answer(ctx context.Context, r *http.Request) (serverAnswer, error) {
	res, key, ok := parsePath(r.URL.EscapedPath())
	if !ok || res == record && h.records == nil || res == expiring && h.expiring == nil {
		return serverAnswer{}, errNoPath
	}
	methods := h.methods(res)
	for _, m := range methods {
		if m.name == r.Method {
			return m.serve(ctx, r, key)
		}
	}
	return serverAnswer{}, &methodError{method: r.Method, allowed: methods}
}

// method is what a method of HTTP does with a resource.
type method struct {
	name  string
	serve func(context.Context, *http.Request, store.Key) (serverAnswer, error)
}

func (h *handler) methods(res resource) []method {
	switch res {
	case distributor:
		return []method{{http.MethodPost, h.create}}
	case segment:
		return []method{{http.MethodPatch, h.allocate}}
	case counter:
		return []method{{http.MethodGet, h.peek}, {http.MethodPatch, h.raise}}
	case record:
		return []method{{http.MethodGet, h.get}, {http.MethodPost, h.compareAndSet}}
	default:
		return []method{{http.MethodGet, h.getExpiring}, {http.MethodPost, h.compareAndSetExpiring}}
	}
}

var errNoPath = errors.New("no such path")

// methodError says that a path doesn't have a method.
type methodError struct {
	method  string
	allowed []method
}

func (e *methodError) Error() string {
	return "method is " + excerpt(e.method, maxShown) + ", want " + e.allow()
}

// allow is the value of the header Allow.
func (e *methodError) allow() string {
	names := make([]string, len(e.allowed))
	for i, m := range e.allowed {
		names[i] = m.name
	}
	return strings.Join(names, ", ")
}
