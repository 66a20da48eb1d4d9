package stamp

import (
	"errors"
	"fmt"
	"time"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/partition"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/sequence/segment"
)

// ErrOptions is matched by errors about options that contradict each other or
// are out of range. A configuration's other errors match [ErrLayout],
// bits.ErrTimescale, [ErrOutOfRange] for a node.Static, those of package encode,
// or sequence.ErrSettings.
var ErrOptions = errors.New("stamp: invalid options")

var (
	// ErrScan is matched by errors about database values of a type that holds
	// no id, NULL among them.
	ErrScan = errors.New("stamp: database value holds no id")
	// ErrReversed is matched by errors about a time range that ends before it
	// begins. See [ReversedError].
	ErrReversed = errors.New("stamp: time range ends before it begins")
)

// The errors that callers tell apart with errors.Is, wherever they come from.
var (
	// ErrAhead: an id's time would be further ahead of the clock than allowed.
	ErrAhead = sequence.ErrAhead
	// ErrBeforeEpoch: the clock, or a passed time, is before the epoch.
	ErrBeforeEpoch = sequence.ErrBeforeEpoch
	// ErrTimeExhausted: the layout's time has ended.
	ErrTimeExhausted = sequence.ErrTimeExhausted
	// ErrConflict: the sequence id is in use with another layout, unit, epoch,
	// clock, limit, start or fence, or with a Source another layout, epoch or zone.
	ErrConflict = sequence.ErrConflict
	// ErrFenceLost: another process has the fence's record, or the store went
	// back. It lasts.
	ErrFenceLost = fence.ErrLost
	// ErrLeaseLost: another process has the node number. It is ErrFenceLost, since
	// lease and fence are one record.
	ErrLeaseLost = fence.ErrLost
	// ErrFenceHeld: another living process has the node.
	ErrFenceHeld = fence.ErrHeld
	// ErrFenceBehind: the clock is behind the bound that an earlier process left.
	ErrFenceBehind = fence.ErrBehind
	// ErrFenceUnavailable: the bound wasn't raised in the time that the call had.
	ErrFenceUnavailable = fence.ErrUnavailable
	// ErrFenceStopped: the fence was closed.
	ErrFenceStopped = fence.ErrStopped
	// ErrFenceRecord, ErrFenceCopied: the fence's record can't be understood, or
	// is in a folder that was copied.
	ErrFenceRecord = fence.ErrRecord
	ErrFenceCopied = fence.ErrCopied
	// ErrFenceConflict: two parts of the program use one fence or space in ways
	// that exclude each other.
	ErrFenceConflict = sequence.ErrFenceConflict
	// ErrBatch: a batch is below 1 or too large.
	ErrBatch = sequence.ErrBatch
	// ErrNoID: the sequence id is empty.
	ErrNoID = sequence.ErrNoID
	// ErrNoPartition: the layout has partition bits, and neither the call nor
	// its context names a partition.
	ErrNoPartition = partition.ErrNoPartition
	// ErrOutOfRange: a node, a partition, a part of an id or an id doesn't fit
	// the layout. For an id, ErrRange matches too.
	ErrOutOfRange = bits.ErrOutOfRange
	// ErrLayout: widths that no layout can have.
	ErrLayout = bits.ErrLayout
	// ErrSyntax, ErrRange, ErrPrefix: a text isn't an id's.
	ErrSyntax = encode.ErrSyntax
	ErrRange  = encode.ErrRange
	ErrPrefix = encode.ErrPrefix
)

// What callers tell apart among the errors of a Source's generators.
var (
	// ErrRolledBack: the store lost counts that it had given out. There are no
	// more ids until an operator has acted; see segment.RolledBackError.
	ErrRolledBack = segment.ErrRolledBack
	// ErrFetch: reserving numbers failed, and there are none left.
	ErrFetch = segment.ErrFetch
	// ErrBackoff: there are no numbers left, and it is too early to ask the
	// store again; see segment.BackoffError.
	ErrBackoff = segment.ErrBackoff
	// ErrGrouped: an id without its group was asked for, and would not be
	// unique. See [GroupedError].
	ErrGrouped = segment.ErrGrouped
	// ErrGroup: a group function returned no usable name.
	ErrGroup = segment.ErrGroup
	// ErrUnknownName: the provider has no generator of the sequence id's name;
	// see segment.UnknownNameError, which lists those there are.
	ErrUnknownName = segment.ErrUnknownName
)

// ReversedError matches [ErrReversed].
type ReversedError struct{ From, To time.Time }

func (e *ReversedError) Error() string {
	return fmt.Sprintf("stamp: time range from %s to %s ends before it begins",
		e.From.Format(time.RFC3339Nano), e.To.Format(time.RFC3339Nano))
}

// Is reports whether target is [ErrReversed].
func (e *ReversedError) Is(target error) bool { return target == ErrReversed }

// noID is the error for a number that is no id. It matches both ErrOutOfRange
// and ErrRange, so that callers needn't know who noticed.
type noID struct{ bits.IDError }

func (e *noID) Error() string {
	return fmt.Sprintf("stamp: %d is no id, want 1 to %d", e.ID, e.Max)
}

func (e *noID) Is(target error) bool { return target == ErrOutOfRange || target == ErrRange }

func (e *noID) Unwrap() error { return &e.IDError }

// checkID refuses what is no id, of a layout or, with the largest number, of
// any.
func checkID(n, largest int64) error {
	if n < 1 || n > largest {
		return &noID{bits.IDError{ID: n, Max: largest}}
	}
	return nil
}
