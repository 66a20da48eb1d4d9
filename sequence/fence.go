package sequence

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"
)

// Fence bounds the times of ids durably: an id is given out only if its time
// lies below a bound that was stored before, and a process that starts begins
// at the bound that it finds. So no id repeats over restarts, crashes and steps
// of the clock. Package fence has the one that programs use.
//
// An implementation is a pointer, since [Settings] compare it, and is safe for
// concurrent use.
type Fence interface {
	// Space is a name that tells the fence's ids from those of others.
	Space() string
	// MaxAhead returns how far ids may be ahead of the reference time: advance
	// under the policy Advance, and most as the largest MaxAhead that the other
	// policies may have. What it returns never changes.
	MaxAhead() (advance, most time.Duration)
	// Attach is called once for each node and format of ids, before the first
	// sequence is made. The registry is locked: it returns at once, and calls
	// nothing of this package but what reads the lane.
	Attach(*Lane) (Guard, error)
}

// Guard is what a [Fence] does for one lane. It is safe for concurrent use.
type Guard interface {
	// Await returns nil once ids of the given unit of time may be given out,
	// and an error when they can't be, or when ctx ends.
	Await(ctx context.Context, unit uint64) error
	// Request asks for the same and returns at once: nil if ids of that unit
	// may be given out now, else why they can't be yet.
	Request(unit uint64) error
	// Status tells how the fence stands.
	Status() FenceStatus
}

// FenceStatus is how a fence stands for one node.
type FenceStatus struct {
	Space string
	Node  uint64
	// Held is set while this process owns the fence's record.
	Held bool
	// Floor is the first time that ids of this process may have, Bound the
	// first that they may not have yet. Both are zero until the record is held.
	Floor, Bound time.Time
	// Err is why the last attempt to take or renew the record failed, and nil
	// if it didn't.
	Err error
}

// ErrFenceConflict says that two parts of a program use one fence, or one of
// its spaces, in ways that exclude each other. See [FenceConflictError].
var ErrFenceConflict = errors.New("sequence: fence in use otherwise")

// FenceConflictError matches [ErrFenceConflict].
type FenceConflictError struct {
	Space  string
	Node   uint64
	Reason string
}

func (e *FenceConflictError) Error() string {
	return fmt.Sprintf("sequence: fence %q for node %d: %s", e.Space, e.Node, e.Reason)
}

// Is reports whether target is [ErrFenceConflict].
func (e *FenceConflictError) Is(target error) bool { return target == ErrFenceConflict }

// validateFence reports what is wrong with the fence of settings.
func (s *Settings) validateFence(violated func(format string, args ...any)) {
	if s.Fence == nil {
		return
	}
	switch v := reflect.ValueOf(s.Fence); {
	case v.Kind() == reflect.Pointer && v.IsNil():
		violated("fence is a nil %T", s.Fence)
		return
	case !v.Comparable():
		violated("fence of type %T can't be compared; use a pointer", s.Fence)
		return
	}
	if _, most := s.Fence.MaxAhead(); s.AheadPolicy != Advance && s.MaxAhead > most {
		violated("MaxAhead %v is more than %v, which the fence %q allows", s.MaxAhead, most, s.Fence.Space())
	}
}

// fenced is what claimAt returns when only the fence keeps the next id from
// being given out. It doesn't leave the package.
type fenced struct{ unit uint64 }

func (e *fenced) Error() string { return fmt.Sprintf("sequence: unit %d is not fenced yet", e.unit) }
