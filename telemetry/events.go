package telemetry

import (
	"strconv"
	"time"
)

// Event is the set of event types.
type Event interface {
	Overflow | Ahead | ClockStep | Expiring | ClockOffset | Duplicate |
		FenceRenewed | FenceFailed | FenceLost | FenceBehind
}

// Overflow says that a sequence had used all its numbers at one time and went
// on to the next one although the clock had not. A few of them after a clock
// correction are normal; a steady stream means that the layout can't hold the
// load.
//
// It is reported once for each overflow, by the call that got the id. A batch
// that overflows several times reports once, with Count.
type Overflow struct {
	SequenceID string
	Node       uint64
	Partition  uint64

	// Time is the time that was tried first, in units since the epoch.
	Time uint64
	// LastTime is the time of the sequence's previous id, in units since the
	// epoch. It lies before the time of the id that was made.
	LastTime uint64
	// Count is how many times the call crossed into a next time: 1, or more
	// for a batch.
	Count int
	// Ahead is how far the sequence is ahead of reference time after the call,
	// 0 if it is not.
	Ahead time.Duration
}

// Ahead says that overflows have driven a sequence ahead of reference time by
// Threshold (one second, one minute, one hour) for the first time since the
// clock had last caught up with it.
type Ahead struct {
	SequenceID string
	Node       uint64
	Partition  uint64

	// Threshold is the bound that was passed.
	Threshold time.Duration
	// Ahead is how far the sequence is ahead, Threshold or more.
	Ahead time.Duration
}

// ClockStep says that the system clock moved other than by the passing of time.
type ClockStep struct {
	Kind StepKind
	// By is the size of the step: positive forward, negative back.
	By time.Duration
	// From is what the clock should have read, To what it did read.
	From, To time.Time
}

// StepKind tells the kinds of [ClockStep] apart. The zero value is none of them.
type StepKind uint8

const (
	// StepBack is a step back. Ids go on from where they were.
	StepBack StepKind = iota + 1
	// StepHeld is a step forward beyond the clock's MaxStep, which is not
	// followed yet.
	StepHeld
	// StepFollowed is a held step that lasted for StepConfirm and is followed
	// from now on.
	StepFollowed

	numStepKinds = iota
)

// String returns "back", "held" or "followed", and "StepKind(n)" for anything
// else.
func (k StepKind) String() string {
	switch k {
	case StepBack:
		return "back"
	case StepHeld:
		return "held"
	case StepFollowed:
		return "followed"
	default:
		return "StepKind(" + strconv.FormatUint(uint64(k), 10) + ")"
	}
}

// Expiring says that the time bits of a sequence's layout come to their end
// within two years. After it the sequence makes no more ids.
type Expiring struct {
	SequenceID string
	Node       uint64
	Partition  uint64

	// End is the first instant that the layout can't hold.
	End time.Time
	// Left is how far away End is, 0 when it has passed.
	Left time.Duration
}

// ClockOffset says how far the system clock is off according to time servers,
// or why that isn't known. It doesn't come from sequences but from a watch that
// the program runs: see Watch.Run in package clock/ntpwatch, whose Event
// converts to it.
type ClockOffset struct {
	// Server is whose answer this is, or the server that is not to be gone by;
	// empty when none was.
	Server string
	// Offset is what the system clock lacks: positive when it is behind,
	// negative when it is ahead. Bound is how far that may be from the truth,
	// RoundTrip how long query and reply were under way.
	Offset, Bound, RoundTrip time.Duration
	// Max is how much is allowed.
	Max time.Duration
	// Exceeded says that Offset, either way, and Bound together are above Max.
	Exceeded bool
	// Err is why there is no measurement; the durations but Max are 0 then.
	Err error
}

// Duplicate is the highest alarm: an id was in the table already when it was to
// be stored. It doesn't come from sequences, which can't know: the program emits
// it when its database refuses a row for the id's key, see
// sqlstore.IsDuplicate, as
//
//	telemetry.Emit(nil, telemetry.Duplicate{SequenceID: "orders", ID: int64(id), Err: err})
//
// The page docs/duplicate-key.md says what to do then.
type Duplicate struct {
	// SequenceID is what made the id: the sequence id, or the counter, as
	// "shop.orders" or "shop.invoice@20260101", of a number from segments.
	SequenceID string
	// ID is the id that is there twice.
	ID int64
	// Err is the database's error.
	Err error
}
