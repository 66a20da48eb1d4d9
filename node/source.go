package node

import (
	"context"
	"errors"
)

// Source gives the node number of the process.
//
// Node is asked once for each call that makes ids, whether it makes one or
// many, and from many goroutines at once, so it must be quick and safe for
// concurrent use. A source that has to look far should do so before, and
// answer from memory. It may answer differently from call to call. An error
// fails the call, with no id made.
//
// The number isn't checked here but by the caller, against the largest node of
// its layout.
type Source interface {
	Node(ctx context.Context) (uint64, error)
}

// Static is a source that always gives the same number, node.Static(3). The
// zero value gives 0.
type Static uint64

// Node returns s and no error.
func (s Static) Node(context.Context) (uint64, error) { return uint64(s), nil }

// Func is a source that calls a function. A nil Func gives an error.
type Func func(ctx context.Context) (uint64, error)

// Node returns what f returns.
func (f Func) Node(ctx context.Context) (uint64, error) {
	if f == nil {
		return 0, errors.New("node: the Func is nil")
	}
	return f(ctx)
}

var (
	_ Source = Static(0)
	_ Source = Func(nil)
)
