package store

import "context"

// Counters is what segments are reserved from: named numbers, the max ids,
// that many processes share and that only grow. Implementations are safe for
// concurrent use.
//
// Each call ends when its context does. A call that changes something and ends
// without an answer (time-out, lost connection) may have had its effect; it
// then returns an error that matches [ErrUnknownOutcome], and callers treat
// what it might have reserved as gone. A key or a number that the store can't
// take is [ErrInvalid], and the store isn't asked. Errors wrap the driver's once.
type Counters interface {
	// Create makes a counter that stands at start, which is 0 or more, and
	// tells whether it did: false if there is one already, which stays as it
	// is.
	Create(ctx context.Context, key Key, start int64) (created bool, err error)

	// Allocate adds n, which is 1 or more, in one atomic step, and returns the
	// counter's new value: the caller owns the n numbers up to it. It never
	// creates: a missing counter is [ErrNoCounter]. A counter that n would
	// take past MaxInt64 is [ErrExhausted] and keeps its value.
	Allocate(ctx context.Context, key Key, n int64) (maxID int64, err error)

	// Peek returns a counter's value, or [ErrNoCounter].
	Peek(ctx context.Context, key Key) (maxID int64, err error)

	// Raise makes a counter stand at to, which is 0 or more, or above, and
	// returns what it then stands at. It never lowers, and never creates: a
	// missing counter is [ErrNoCounter].
	Raise(ctx context.Context, key Key, to int64) (maxID int64, err error)
}
