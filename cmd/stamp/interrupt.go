package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// errClosed says that the reader of standard output went away.
var errClosed = errors.New("standard output was closed")

// interruptible returns a context that SIGINT and SIGTERM end, with a
// *signalError as cause. After one, or after stop, another kills the process as
// it does by default.
func interruptible() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case received := <-signals:
			number, _ := received.(syscall.Signal)
			cancel(&signalError{number})
		case <-ctx.Done():
		}
		signal.Stop(signals)
	}()
	return ctx, func() { cancel(context.Canceled) }
}

// grace is how long a write may go on after its context ended.
const grace = 200 * time.Millisecond

// contextWriter writes until its context ends, also when w blocks for ever, as
// a pipe does that nobody reads. Such a write goes on behind the caller's back.
type contextWriter struct {
	ctx context.Context
	w   io.Writer
}

type written struct {
	n   int
	err error
}

func (c contextWriter) Write(p []byte) (int, error) {
	done := make(chan written, 1)
	go func() {
		n, err := c.w.Write(p)
		done <- written{n, err}
	}()
	select {
	case r := <-done:
		return r.n, closedOr(r.err)
	case <-c.ctx.Done():
	}
	select {
	case r := <-done:
		return r.n, closedOr(r.err)
	case <-time.After(grace):
		return 0, context.Cause(c.ctx)
	}
}

func closedOr(err error) error {
	if isClosedPipe(err) {
		return errClosed
	}
	return err
}
