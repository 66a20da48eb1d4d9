package bits

import (
	"errors"
	"fmt"
	"time"
)

var (
	// ErrLayout is matched by each error about the widths of a [Layout].
	ErrLayout = errors.New("bits: invalid layout")

	// ErrTimescale is matched by each error about a [Timescale].
	ErrTimescale = errors.New("bits: invalid timescale")

	// ErrOutOfRange is matched by each error about a value or an id that its
	// layout has no room for.
	ErrOutOfRange = errors.New("bits: out of range")
)

// WidthError names a width that a layout can't have. Field is "partition",
// "time", "node", "sequence", or "sum" for the widths taken together. Min and
// Max are the bounds, in bits; between 53 and 63, a sum can be nothing else. It
// matches [ErrLayout].
type WidthError struct {
	Field           string
	Value, Min, Max int
}

func (e *WidthError) Error() string {
	if e.Field == fieldSum {
		return fmt.Sprintf("bits: widths add up to %d bits, want exactly %d or %d", e.Value, e.Max, e.Min)
	}
	return fmt.Sprintf("bits: %s has %d bits, want %d to %d", e.Field, e.Value, e.Min, e.Max)
}

// Is reports whether target is [ErrLayout].
func (e *WidthError) Is(target error) bool { return target == ErrLayout }

// ValueError names a value above the largest one that its field holds; Max is
// 0 if the layout has no such field. Field is "partition", "time", "node" or
// "sequence", or for the ends of a range "first time" or "last time"; the Max
// of a first time is the last time if that's what it is above. It matches
// [ErrOutOfRange].
type ValueError struct {
	Field      string
	Value, Max uint64
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("bits: %s %d is above the largest, %d", e.Field, e.Value, e.Max)
}

// Is reports whether target is [ErrOutOfRange].
func (e *ValueError) Is(target error) bool { return target == ErrOutOfRange }

// IDError names a number that is no id of its layout, whose ids go from 1 to
// Max. It matches [ErrOutOfRange].
type IDError struct {
	ID, Max int64
}

func (e *IDError) Error() string {
	return fmt.Sprintf("bits: %d is no id, want 1 to %d", e.ID, e.Max)
}

// Is reports whether target is [ErrOutOfRange].
func (e *IDError) Is(target error) bool { return target == ErrOutOfRange }

// UnitError names a unit of time that a timescale can't have. It matches
// [ErrTimescale].
type UnitError struct {
	Value, Min, Max time.Duration
}

func (e *UnitError) Error() string {
	return fmt.Sprintf("bits: unit is %v, want %v to %v", e.Value, e.Min, e.Max)
}

// Is reports whether target is [ErrTimescale].
func (e *UnitError) Is(target error) bool { return target == ErrTimescale }

// EpochError says that the epoch is the zero time.Time, which is an epoch that
// was forgotten. It matches [ErrTimescale].
type EpochError struct {
	Epoch time.Time
}

func (e *EpochError) Error() string {
	return fmt.Sprintf("bits: epoch %s is the zero time", e.Epoch.Format(time.RFC3339))
}

// Is reports whether target is [ErrTimescale].
func (e *EpochError) Is(target error) bool { return target == ErrTimescale }
