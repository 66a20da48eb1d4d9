package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

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
