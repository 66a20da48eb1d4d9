package clockchaos

import (
	"context"
	"errors"
	"time"

	"github.com/stampid/go-stamp/cmd/stampd/internal/fleet"
	"github.com/stampid/go-stamp/node/lease"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/filestore"
)

// Task is what a worker's process does: Goroutines make ids, and write them to
// logs in Folder, until they are told to end.
type Task struct {
	Process, Run int
	Goroutines   int
	Node         uint64 // without a Lease
	Lease        *Lease // nil: the node is Node
	Store        string // URL of where the fence's record is; "": there is no fence
	Fence        Fence
	Policy       stamp.AheadPolicy
	MaxAhead     time.Duration // with the policies Wait and Fail
	Clock        string        // file of a Wall
	Counter      bool          // the processor's counter tells that a unit goes on
	Folder       string
	Seed         uint64
	Rate         float64 // ids a second that each goroutine wants to have
	// Early sequences are used from the beginning, the others after Late.
	Early int
	Late  time.Duration
	// Burst is how many ids of each early sequence one goroutine makes before all
	// else, and Bursts the share of calls after that which make many ids.
	Burst  int
	Bursts float64
}

// Fence are the settings of a worker's fence. The zero value is that of
// fence.Options.
type Fence struct {
	Window, Cap, CallTimeout time.Duration
	Start                    fence.Start
	BeyondCap                fence.BeyondCap
}

// Lease are the settings of a worker's lease of a node number.
type Lease struct {
	Name        string // "": any number will do
	First, Last uint64
	TTL         time.Duration
}

// Progress is what a worker tells.
type Progress struct {
	IDs     int64
	Holders int // that were made
	// Errors counts calls without an id by the kind of error.
	Errors     map[string]int
	Unexpected string // an error of no such kind
	// Burst and Ended say that the last one has made its burst, and has ended in
	// order.
	Burst, Ended bool
}

var _ fleet.Progress[Progress] = Progress{}

// Plus is that of [fleet.Progress].
func (p Progress) Plus(o Progress) Progress {
	p.IDs += o.IDs
	p.Holders += o.Holders
	sum := map[string]int{}
	for _, errs := range []map[string]int{p.Errors, o.Errors} {
		for kind, n := range errs {
			sum[kind] += n
		}
	}
	p.Errors = sum
	p.Burst, p.Ended = o.Burst, o.Ended
	if o.Unexpected != "" {
		p.Unexpected = o.Unexpected
	}
	return p
}

// The kinds of error that faults explain.
const (
	errLost        = "lost to another process"
	errHeld        = "held by another process"
	errBehind      = "clock behind the bound"
	errAhead       = "too far ahead of the clock"
	errUnavailable = "bound not raised"
	errStopped     = "fence closed"
	errCopied      = "folder is a copy"
	errNoNode      = "no free node"
	errNoTime      = "out of time" // a process was frozen just before its call
	// errNotGivenBack is that of closing a fence.
	errNotGivenBack = "node not given back"
)

// kindOf tells what kind an error of a call is, "" if it is unexpected.
func kindOf(err error) string {
	var lost *fence.LostError
	switch {
	case isCorrupt(err):
	case errors.As(err, &lost):
		if lost.Err == nil && lost.Found != nil && lost.Found.Bound >= lost.Bound {
			return errLost
		} // else the store went back, which no fault of ours makes it do
	case errors.Is(err, lease.ErrNoFreeNode):
		return errNoNode
	case errors.Is(err, stamp.ErrFenceCopied):
		return errCopied
	case errors.Is(err, stamp.ErrFenceHeld):
		return errHeld
	case errors.Is(err, stamp.ErrFenceBehind):
		return errBehind
	case errors.Is(err, stamp.ErrFenceStopped):
		return errStopped
	case errors.Is(err, stamp.ErrFenceUnavailable):
		return errUnavailable
	case errors.Is(err, stamp.ErrAhead):
		return errAhead
	case err == context.DeadlineExceeded: //nolint:errorlint // a call returns it as it is before it has begun
		return errNoTime
	}
	return ""
}

// isCorrupt tells errors about contents that no crash may leave behind.
func isCorrupt(err error) bool {
	return errors.Is(err, filestore.ErrCorrupt) || errors.Is(err, filestore.ErrVersion) ||
		errors.Is(err, fence.ErrRecord) || errors.Is(err, store.ErrInvalid)
}
