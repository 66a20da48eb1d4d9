package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// SignalError is a command that was ended by a signal.
type SignalError struct{ Signal syscall.Signal }

func (e *SignalError) Error() string { return "ended by " + e.Signal.String() }

// Code is the exit code of a process that the signal has ended, as shells have it.
func (e *SignalError) Code() int { return 128 + int(e.Signal) }

// Interruptible returns a context that SIGINT and SIGTERM end, with a
// [*SignalError] as cause. After one, or after stop, another kills the process as
// it does by default.
func Interruptible() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case received := <-signals:
			signal.Stop(signals) // before anybody can know of the first
			number, _ := received.(syscall.Signal)
			cancel(&SignalError{number})
		case <-ctx.Done():
			signal.Stop(signals)
		}
	}()
	return ctx, func() { cancel(context.Canceled) }
}

// Because replaces the error of a command whose context was ended by a signal by
// that.
func Because(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
