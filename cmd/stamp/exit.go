package main

import (
	"errors"
	"syscall"

	"github.com/stampid/go-stamp/cmd/stamp/internal/nodelock"
)

// Exit codes; the comment of the command explains them.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
	exitNode   = 3
	exitSignal = 128 // and the signal's number
)

// errReported is an error that was already said.
var errReported = errors.New("reported")

// usageError is a command line that can't be followed.
type usageError struct{ cause error }

func (e *usageError) Error() string { return e.cause.Error() }
func (e *usageError) Unwrap() error { return e.cause }

// signalError is a command that was ended by a signal.
type signalError struct{ signal syscall.Signal }

func (e *signalError) Error() string { return "ended by " + e.signal.String() }

func exitCode(err error) int {
	var usage *usageError
	var signal *signalError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &signal):
		return exitSignal + int(signal.signal)
	case errors.Is(err, nodelock.ErrHeld), errors.Is(err, nodelock.ErrAhead), errors.Is(err, nodelock.ErrNoFree):
		return exitNode
	default:
		return exitFailed
	}
}
