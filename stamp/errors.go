package stamp

import (
	"errors"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/partition"
	"github.com/stampid/go-stamp/sequence"
)

// ErrOptions is matched by errors about options that contradict each other or
// are out of range. A configuration's other errors match [ErrLayout], those of
// package encode, or sequence.ErrSettings.
var ErrOptions = errors.New("stamp: invalid options")

// The errors that callers tell apart with errors.Is, wherever they come from.
var (
	// ErrAhead: an id's time would be further ahead of the clock than allowed.
	ErrAhead = sequence.ErrAhead
	// ErrBeforeEpoch: the clock, or a passed time, is before the epoch.
	ErrBeforeEpoch = sequence.ErrBeforeEpoch
	// ErrTimeExhausted: the layout's time has ended.
	ErrTimeExhausted = sequence.ErrTimeExhausted
	// ErrConflict: the sequence id is in use with another layout, unit, epoch,
	// clock or limit.
	ErrConflict = sequence.ErrConflict
	// ErrBatch: a batch is below 1 or too large.
	ErrBatch = sequence.ErrBatch
	// ErrNoID: the sequence id is empty.
	ErrNoID = sequence.ErrNoID
	// ErrNoPartition: the layout has partition bits, and neither the call nor
	// its context names a partition.
	ErrNoPartition = partition.ErrNoPartition
	// ErrOutOfRange: a number, a part of an id or an id doesn't fit the layout.
	ErrOutOfRange = bits.ErrOutOfRange
	// ErrLayout: widths that no layout can have.
	ErrLayout = bits.ErrLayout
	// ErrSyntax, ErrRange, ErrPrefix: a text isn't an id's.
	ErrSyntax = encode.ErrSyntax
	ErrRange  = encode.ErrRange
	ErrPrefix = encode.ErrPrefix
)
