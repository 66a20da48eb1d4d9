package server

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/stampid/go-stamp/sequence/segment/watch"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/proxystore"
)

// handler is the whole of what is served.
type handler struct {
	proxy    http.Handler
	watched  http.Handler
	options  Options
	inFlight atomic.Int64
}

func newHandler(counters store.Counters, o Options) *handler {
	failures := &throttle{every: time.Second}
	seen := &traffic{now: time.Now}
	proxy := proxystore.NewHandler(counters, proxystore.HandlerOptions{
		Timeout:   o.Timeout,
		Allocated: seen.allocated,
		Report: func(r *http.Request, err error) {
			if n, ok := failures.pass(time.Now()); ok {
				o.Log.LogAttrs(r.Context(), slog.LevelError, "the store failed",
					slog.String("method", r.Method), slog.String("path", r.URL.Path),
					slog.Any("error", err), slog.Int64("not_logged", n))
			}
		},
	})
	sameSite := http.NewCrossOriginProtection()
	sameSite.SetDenyHandler(http.HandlerFunc(refuse))
	return &handler{proxy: sameSite.Handler(proxy), watched: watch.Handler(seen.report), options: o}
}

// ServeHTTP answers one request. The paths aren't cleaned, as a ServeMux would,
// since parts of them are names.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.inFlight.Add(1)
	defer h.inFlight.Add(-1)
	begun := time.Now()
	told := &teller{ResponseWriter: w}
	switch r.URL.Path {
	case "/healthz":
		probe(told, r, nil)
	case "/readyz":
		h.ready(told, r)
	case watch.Path:
		h.watched.ServeHTTP(told, r)
	default:
		h.proxy.ServeHTTP(told, r)
	}
	h.options.Log.LogAttrs(r.Context(), slog.LevelDebug, "request",
		slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.String("from", r.RemoteAddr),
		slog.Int("status", told.status), slog.Duration("took", time.Since(begun)))
}

func (h *handler) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), h.options.Timeout)
	defer cancel()
	err := h.options.Ready(ctx)
	if err != nil {
		h.options.Log.LogAttrs(ctx, slog.LevelWarn, "not ready", slog.Any("error", err))
	}
	probe(w, r, err)
}

// probe answers those who watch. They get no error's text, only the log does.
func probe(w http.ResponseWriter, r *http.Request, err error) {
	header := w.Header()
	header.Set("Content-Type", "text/plain; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		header.Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
	case err != nil:
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, "the store doesn't answer\n")
	default:
		_, _ = io.WriteString(w, "ok\n")
	}
}

// refuse answers a browser, in the form of the store's errors.
func refuse(w http.ResponseWriter, _ *http.Request) {
	// Two strings always have a JSON form.
	body, _ := json.Marshal(map[string]string{"code": "403", "msg": "from a page of another site"})
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusForbidden)
	_, _ = w.Write(body)
}

// teller keeps the status of an answer.
type teller struct {
	http.ResponseWriter
	status int
}

func (t *teller) WriteHeader(status int) {
	t.status = status
	t.ResponseWriter.WriteHeader(status)
}

func (t *teller) Write(p []byte) (int, error) {
	if t.status == 0 {
		t.status = http.StatusOK
	}
	return t.ResponseWriter.Write(p)
}

// Unwrap lets net/http reach the writer's other methods.
func (t *teller) Unwrap() http.ResponseWriter { return t.ResponseWriter }
