package store

import (
	"errors"
	"fmt"
)

var (
	// ErrNoCounter says that there is no counter of that name. For one that
	// was in use this means that the store was rolled back.
	ErrNoCounter = errors.New("store: no such counter")
	// ErrExhausted says that a counter has no room for what was asked for
	// below MaxInt64.
	ErrExhausted = errors.New("store: counter exhausted")
	// ErrConflict says that a record isn't what the caller took it for, and
	// was left as it is.
	ErrConflict = errors.New("store: record has changed")
	// ErrUnknownOutcome says that a change may or may not have taken place.
	ErrUnknownOutcome = errors.New("store: outcome unknown")
	// ErrInvalid says that an argument is out of range, or a name is one that
	// the store can't hold. See [ArgumentError].
	ErrInvalid = errors.New("store: invalid argument")
)

// ArgumentError names an argument that a store refuses, and what it must be.
// Field is "namespace", "name", "key" (both of them), and Value a string; or
// "start", "n", "to", "length of old", "length of value", and Value an int64. It
// matches [ErrInvalid].
type ArgumentError struct {
	Field string
	Value any
	Bound string
}

// shown is how many bytes of a text an error message shows: enough to find it
// by, whatever a client sent.
const shown = 64

func (e *ArgumentError) Error() string {
	text, ok := e.Value.(string)
	switch {
	case !ok:
		return fmt.Sprintf("store: %s is %v, want %s", e.Field, e.Value, e.Bound)
	case len(text) > shown:
		return fmt.Sprintf("store: %s is %q… of %d bytes, want %s", e.Field, text[:shown], len(text), e.Bound)
	}
	return fmt.Sprintf("store: %s is %q, want %s", e.Field, text, e.Bound)
}

// Is reports whether target is [ErrInvalid].
func (e *ArgumentError) Is(target error) bool { return target == ErrInvalid }
