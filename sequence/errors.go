package sequence

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"
)

var (
	// ErrAhead says that an id's time would lie too far ahead of the
	// reference time. See [AheadError].
	ErrAhead = errors.New("sequence: too far ahead of the clock")
	// ErrBeforeEpoch says that the clock, or a passed time, is before the
	// epoch. See [BeforeEpochError].
	ErrBeforeEpoch = errors.New("sequence: time before the epoch")
	// ErrTimeExhausted says that the layout has no time left. See
	// [TimeExhaustedError].
	ErrTimeExhausted = errors.New("sequence: time of the layout exhausted")
	// ErrConflict says that a sequence id is in use with other settings. See
	// [ConflictError].
	ErrConflict = errors.New("sequence: id in use with other settings")
	// ErrBatch says that a batch is too small or too large. See [BatchError].
	ErrBatch = errors.New("sequence: batch size out of range")
	// ErrDropped says that the sequence was dropped from its registry. The
	// registry gives a new one for the same key. See [DroppedError].
	ErrDropped = errors.New("sequence: dropped")
	// ErrNoID says that the sequence id is empty.
	ErrNoID = errors.New("sequence: empty sequence id")
)

// AheadError matches [ErrAhead], and the error of the context that a waiting
// call gave up for.
type AheadError struct {
	SequenceID string
	Ahead      time.Duration // of the next id's time against the reference time
	Max        time.Duration // how much is allowed
	Cause      error         // nil, or why waiting ended
}

func (e *AheadError) Error() string {
	s := fmt.Sprintf("sequence: %q would be %v ahead of the clock, more than %v", e.SequenceID, e.Ahead, e.Max)
	if e.Cause != nil {
		s += ": " + e.Cause.Error()
	}
	return s
}

// Is reports whether target is [ErrAhead].
func (e *AheadError) Is(target error) bool { return target == ErrAhead }

// Unwrap returns Cause.
func (e *AheadError) Unwrap() error { return e.Cause }

// BeforeEpochError matches [ErrBeforeEpoch].
type BeforeEpochError struct {
	SequenceID  string // empty in a Health
	Time, Epoch time.Time
}

func (e *BeforeEpochError) Error() string {
	return fmt.Sprintf("sequence: %s at %s, before its epoch %s", named(e.SequenceID),
		e.Time.UTC().Format(time.RFC3339Nano), e.Epoch.Format(time.RFC3339Nano))
}

// Is reports whether target is [ErrBeforeEpoch].
func (e *BeforeEpochError) Is(target error) bool { return target == ErrBeforeEpoch }

// named is a sequence id in a message; a node's health has none.
func named(id string) string {
	if id == "" {
		return "the node"
	}
	return strconv.Quote(id)
}

// TimeExhaustedError matches [ErrTimeExhausted].
type TimeExhaustedError struct {
	SequenceID string    // empty in a Health
	End        time.Time // first instant that the layout can't express
}

func (e *TimeExhaustedError) Error() string {
	return fmt.Sprintf("sequence: %s has used up the time of its layout, which ends at %s",
		named(e.SequenceID), e.End.Format(time.RFC3339Nano))
}

// Is reports whether target is [ErrTimeExhausted].
func (e *TimeExhaustedError) Is(target error) bool { return target == ErrTimeExhausted }

// ConflictError matches [ErrConflict].
type ConflictError struct {
	SequenceID   string
	InUse, Asked Settings
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("sequence: %q is in use with other settings (in use and asked for): %s",
		e.SequenceID, e.InUse.differences(e.Asked))
}

// Is reports whether target is [ErrConflict].
func (e *ConflictError) Is(target error) bool { return target == ErrConflict }

// DroppedError matches [ErrDropped]. It is the error of a call without a context
// that was waiting when its sequence was dropped: who repeats the call on the
// new one can keep to the deadline.
type DroppedError struct {
	Deadline time.Time // until when the call would have waited
}

func (e *DroppedError) Error() string { return ErrDropped.Error() + " while waiting" }

// Is reports whether target is [ErrDropped].
func (e *DroppedError) Is(target error) bool { return target == ErrDropped }

// droppedAt adds the deadline of a call's own context to ErrDropped.
func droppedAt(ctx context.Context, err error) error {
	if err != ErrDropped { //nolint:errorlint // as swap returns it
		return err
	}
	deadline, _ := ctx.Deadline()
	return &DroppedError{Deadline: deadline}
}

// BatchError matches [ErrBatch].
type BatchError struct {
	N, Max int // asked for; the largest possible
}

func (e *BatchError) Error() string {
	return fmt.Sprintf("sequence: batch of %d ids, want 1 to %d", e.N, e.Max)
}

// Is reports whether target is [ErrBatch].
func (e *BatchError) Is(target error) bool { return target == ErrBatch }
