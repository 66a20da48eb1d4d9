package store

import "errors"

var (
	// ErrNoCounter says that there is no counter of that name. For one that
	// was in use this means that the store was rolled back.
	ErrNoCounter = errors.New("store: no such counter")
	// ErrExhausted says that a counter has no room for what was asked for
	// below MaxInt64.
	ErrExhausted = errors.New("store: counter exhausted")
	// ErrUnknownOutcome says that a change may or may not have taken place.
	ErrUnknownOutcome = errors.New("store: outcome unknown")
	// ErrInvalid says that an argument is out of range, or a name is one that
	// the store can't hold.
	ErrInvalid = errors.New("store: invalid argument")
)
