package fence

import (
	"errors"
	"fmt"
	"time"

	"github.com/stampid/go-stamp/store"
)

var (
	// ErrOptions says that options contradict each other or are out of range.
	ErrOptions = errors.New("fence: invalid options")
	// ErrLost says that the record isn't what this process made it, so that
	// another one may have the node. It lasts: no id is made at or above the
	// bound any more. See [LostError].
	ErrLost = errors.New("fence: lost")
	// ErrHeld says that another process holds the node. See [HeldError].
	ErrHeld = errors.New("fence: node in use")
	// ErrBehind says that the clock is behind the bound that an earlier process
	// left. See [BehindError].
	ErrBehind = errors.New("fence: clock behind the bound")
	// ErrStopped says that the fence was closed.
	ErrStopped = errors.New("fence: stopped")
	// ErrUnavailable says that the bound could not be raised in the time that
	// the call had. See [UnavailableError].
	ErrUnavailable = errors.New("fence: bound not raised")
	// ErrRecord says that a record can't be understood. See [RecordError].
	ErrRecord = errors.New("fence: unusable record")
	// ErrCopied says that a folder isn't the one that its record was written
	// in. See [CopiedError].
	ErrCopied = errors.New("fence: folder is a copy")
)

// LostError matches [ErrLost].
type LostError struct {
	Key store.Key
	// Found is the record as it is now, nil if there is none or it can't be
	// read, for which Err is the reason.
	Found *Record
	// Bound is the bound that this process had stored last.
	Bound uint64
	Err   error
}

func (e *LostError) Error() string {
	text := fmt.Sprintf("fence: record %s was lost", e.Key)
	switch {
	case e.Err != nil:
		return text + ": " + e.Err.Error()
	case e.Found == nil:
		return text + ": there is none any more"
	case e.wentBack():
		return text + fmt.Sprintf(": its bound is %d, and was %d before; the store went back", e.Found.Bound, e.Bound)
	}
	return text + fmt.Sprintf(" to %s, until %s", e.Found.who(), e.Found.Expires.Format(time.RFC3339Nano))
}

// Is reports whether target is [ErrLost].
func (e *LostError) Is(target error) bool { return target == ErrLost }

// Unwrap returns Err.
func (e *LostError) Unwrap() error { return e.Err }

// wentBack tells whether the record was lost other than by one who took it
// over, who would begin at the bound that this process had stored.
func (e *LostError) wentBack() bool { return e.Found == nil || e.Found.Bound < e.Bound }

// HeldError matches [ErrHeld].
type HeldError struct {
	Key     store.Key
	Owner   string
	Expires time.Time // unless it renews
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("fence: record %s is in use by %q, at least until %s; no two processes may have one node number",
		e.Key, e.Owner, e.Expires.Format(time.RFC3339Nano))
}

// Is reports whether target is [ErrHeld].
func (e *HeldError) Is(target error) bool { return target == ErrHeld }

// BehindError matches [ErrBehind].
type BehindError struct {
	Key store.Key
	// Floor is the bound that was found, and Clock the reference time.
	Floor, Clock time.Time
	// Owner is who left the bound.
	Owner string
	// Cause is nil, or why waiting for the clock ended.
	Cause error

	refuse bool // callers don't wait
}

func (e *BehindError) Error() string {
	text := fmt.Sprintf("fence: record %s says that %q may have made ids up to %s, and the clock says %s, %v less",
		e.Key, e.Owner, e.Floor.Format(time.RFC3339Nano), e.Clock.Format(time.RFC3339Nano), e.Floor.Sub(e.Clock))
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Is reports whether target is [ErrBehind].
func (e *BehindError) Is(target error) bool { return target == ErrBehind }

// Unwrap returns Cause.
func (e *BehindError) Unwrap() error { return e.Cause }

// UnavailableError matches [ErrUnavailable], the error of the store, and that
// of the context that a waiting call gave up for.
type UnavailableError struct {
	Key   store.Key
	Store error // what the store said last, or nil if it hasn't failed
	Cause error // why waiting ended, nil if the call doesn't wait
}

func (e *UnavailableError) Error() string {
	text := fmt.Sprintf("fence: the bound of %s isn't raised yet", e.Key)
	if e.Store != nil {
		text += ": " + e.Store.Error()
	}
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Is reports whether target is [ErrUnavailable].
func (e *UnavailableError) Is(target error) bool { return target == ErrUnavailable }

// Unwrap returns Store and Cause.
func (e *UnavailableError) Unwrap() []error {
	var errs []error
	for _, err := range []error{e.Store, e.Cause} {
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// RecordError matches [ErrRecord].
type RecordError struct {
	Key    store.Key
	Reason string
}

func (e *RecordError) Error() string {
	return fmt.Sprintf("fence: record %s can't be used: %s; it keeps ids from repeating, so it isn't replaced", e.Key, e.Reason)
}

// Is reports whether target is [ErrRecord].
func (e *RecordError) Is(target error) bool { return target == ErrRecord }

// CopiedError matches [ErrCopied].
type CopiedError struct {
	Folder        string
	Record, Found string // what the record says of its place, and what it is
}

func (e *CopiedError) Error() string {
	return fmt.Sprintf("fence: folder %s was copied, restored or moved (its record was written at %q, this is %q): the original may be in use, or ahead; if it is certainly neither, set Adopt once",
		e.Folder, e.Record, e.Found)
}

// Is reports whether target is [ErrCopied].
func (e *CopiedError) Is(target error) bool { return target == ErrCopied }
