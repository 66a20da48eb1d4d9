package nodelock

import (
	"errors"
	"fmt"
	"time"
)

var (
	// ErrHeld says that another process holds the node. See [HeldError].
	ErrHeld = errors.New("nodelock: node in use")
	// ErrAhead says that the node's recorded bound is too far ahead of the
	// clock to wait for. See [AheadError].
	ErrAhead = errors.New("nodelock: clock behind the recorded bound")
	// ErrNoFree says that no node of the layout can be taken. See
	// [NoFreeError].
	ErrNoFree = errors.New("nodelock: no free node")
	// ErrRecord says that a record can't be understood. See [RecordError].
	ErrRecord = errors.New("nodelock: unusable record")
	// ErrLost says that the lock file was removed or replaced while the lock
	// was held, so that another process may hold the node too.
	ErrLost = errors.New("nodelock: lock file removed or replaced while in use")
)

// HeldError matches [ErrHeld].
type HeldError struct {
	Node uint64
	File string
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("node %d is in use by another process, which holds the lock on %s; choose another node, or wait for it to end",
		e.Node, e.File)
}

// Is reports whether target is [ErrHeld].
func (e *HeldError) Is(target error) bool { return target == ErrHeld }

// AheadError matches [ErrAhead].
type AheadError struct {
	Node         uint64
	File         string
	Bound, Clock time.Time
}

func (e *AheadError) Error() string {
	return fmt.Sprintf("node %d may have made ids up to %s, but the clock says %s (recorded in %s); set the clock right, wait, or choose another node",
		e.Node, e.Bound.Format(time.RFC3339Nano), e.Clock.UTC().Format(time.RFC3339Nano), e.File)
}

// Is reports whether target is [ErrAhead].
func (e *AheadError) Is(target error) bool { return target == ErrAhead }

// NoFreeError matches [ErrNoFree]. Held and Ahead count the nodes for which
// the errors are [ErrHeld] and [ErrAhead].
type NoFreeError struct {
	Folder      string
	Held, Ahead uint64
}

func (e *NoFreeError) Error() string {
	return fmt.Sprintf("no free node: %d in use by other processes, %d with ids ahead of the clock (in %s)", e.Held, e.Ahead, e.Folder)
}

// Is reports whether target is [ErrNoFree].
func (e *NoFreeError) Is(target error) bool { return target == ErrNoFree }

// RecordError matches [ErrRecord].
type RecordError struct {
	Node   uint64
	File   string
	Reason string
}

func (e *RecordError) Error() string {
	return fmt.Sprintf("%s can't be used: %s; it keeps the ids of node %d from repeating: choose another node, or, once the clock is certainly past every id made with node %d, delete the file",
		e.File, e.Reason, e.Node, e.Node)
}

// Is reports whether target is [ErrRecord].
func (e *RecordError) Is(target error) bool { return target == ErrRecord }
