package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/stampid/go-stamp/store"
)

// Options say how a store is served. All fields are required.
type Options struct {
	// Timeout is how long the store may take for one request.
	Timeout time.Duration
	// Grace is how long requests may go on after the end was asked for.
	Grace time.Duration
	// Ready returns an error if the store doesn't answer.
	Ready func(context.Context) error
	// Log gets what an operator should know: starts and stops, errors of the
	// store (one a second), and at its debug level each request.
	Log *slog.Logger
}

// Bounds of what a client may cost.
const (
	headerTimeout = 5 * time.Second
	// transfer is how long a request may take to arrive, and an answer to leave,
	// beside the store's own time.
	transfer    = 10 * time.Second
	idleTimeout = 2 * time.Minute
	// maxHeader leaves room for the longest name, with each byte escaped, and
	// what clients send beside it. The body's bound is that of package proxystore.
	maxHeader = 16 << 10
)

// ErrCutOff says that requests were still under way when Grace was over.
var ErrCutOff = errors.New("requests were cut off")

// Run serves counters, and records if they are a store.Records too, until ctx ends, and then takes no new requests and waits for those
// it has. It closes the listener. The error is nil if all of them were answered,
// [ErrCutOff], or what has ended the listener.
func Run(ctx context.Context, l net.Listener, counters store.Counters, o Options) error {
	h := newHandler(counters, o)
	srv := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTimeout,
		// A time-out of reading that strikes while the store works would end the
		// request's context.
		ReadTimeout:    o.Timeout + transfer,
		WriteTimeout:   o.Timeout + transfer,
		IdleTimeout:    idleTimeout,
		MaxHeaderBytes: maxHeader,
		ErrorLog:       slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(l) }()
	o.Log.Info("serving", "address", l.Addr().String())
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	o.Log.Info("stopping", "why", context.Cause(ctx), "requests", h.inFlight.Load())
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.Grace)
	defer cancel()
	if err := srv.Shutdown(limited); err != nil {
		cut := h.inFlight.Load()
		_ = srv.Close() // what it says was said by Shutdown
		return fmt.Errorf("%w after %v: %d", ErrCutOff, o.Grace, cut)
	}
	o.Log.Info("stopped")
	return nil
}
