package main

import (
	"errors"

	"github.com/stampid/go-stamp/cmd/internal/cli"
	"github.com/stampid/go-stamp/cmd/stamp/internal/nodelock"
)

// Exit codes; the comment of the command explains them.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
	exitNode   = 3
)

// errReported is an error that was already said.
var errReported = errors.New("reported")

// usageError is a command line that can't be followed.
type usageError struct{ cause error }

func (e *usageError) Error() string { return e.cause.Error() }
func (e *usageError) Unwrap() error { return e.cause }

func exitCode(err error) int {
	var usage *usageError
	var signal *cli.SignalError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &signal):
		return signal.Code()
	case errors.Is(err, nodelock.ErrHeld), errors.Is(err, nodelock.ErrAhead), errors.Is(err, nodelock.ErrNoFree):
		return exitNode
	default:
		return exitFailed
	}
}
