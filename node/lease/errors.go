package lease

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/stampid/go-stamp/sequence/fence"
)

var (
	// ErrOptions says that options contradict each other or are out of range, or
	// that a store's records don't run out.
	ErrOptions = errors.New("lease: invalid options")
	// ErrNoFreeNode says that all numbers are taken. See [NoFreeNodeError].
	ErrNoFreeNode = errors.New("lease: no free node number")
	// ErrHeld says that a process of this name lives. See fence.HeldError.
	ErrHeld = fence.ErrHeld
	// ErrLost says that the number may be another process's by now. It is an error
	// of calls that make ids. See fence.LostError.
	ErrLost = fence.ErrLost
)

// errTaken says that somebody was faster.
var errTaken = errors.New("lease: number was taken meanwhile")

// NoFreeNodeError matches [ErrNoFreeNode].
type NoFreeNodeError struct {
	Space       string
	First, Last uint64
	// Holders are those who have the numbers, each with the time until which it
	// lasts unless it renews.
	Holders []Entry
}

// shown is how many holders an error names.
const shown = 8

func (e *NoFreeNodeError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "lease: no node number from %d to %d of space %q is free: ", e.First, e.Last, e.Space)
	for i, h := range e.Holders {
		if i == shown {
			fmt.Fprintf(&text, "; and %d more", len(e.Holders)-shown)
			break
		}
		if i > 0 {
			text.WriteString("; ")
		}
		fmt.Fprintf(&text, "%d is held by %q for at least %v", h.Node, h.Record.Owner, h.Left.Round(time.Millisecond))
	}
	return text.String()
}

// Is reports whether target is [ErrNoFreeNode].
func (e *NoFreeNodeError) Is(target error) bool { return target == ErrNoFreeNode }
