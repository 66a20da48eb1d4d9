package main

import (
	"errors"

	"github.com/stampid/go-stamp/cmd/internal/cli"
	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

// Exit codes; the comment of the command explains them.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
	exitLost   = 3
)

// errLost says that status has found a counter that lost counts, which its table
// shows.
var errLost = errors.New("the store has lost counts: see stampd recover --help")

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
	case errors.Is(err, segment.ErrRolledBack), errors.Is(err, errLost):
		return exitLost // whatever else there is
	case errors.As(err, &usage), errors.Is(err, stores.ErrURL), errors.Is(err, store.ErrInvalid):
		return exitUsage
	case errors.As(err, &signal):
		return signal.Code()
	default:
		return exitFailed
	}
}
