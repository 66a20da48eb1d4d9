package partition

import (
	"errors"
	"fmt"
)

var (
	// ErrTable is matched by each error about a [Table], a name in it, or a
	// condition on it.
	ErrTable = errors.New("partition: invalid table")

	// ErrSpan is matched by each error about a [Span] that the layout doesn't
	// have.
	ErrSpan = errors.New("partition: invalid span")

	// ErrUnsupported is matched by each error about a statement that the dialect
	// doesn't have.
	ErrUnsupported = errors.New("partition: the dialect has no such statement")
)

const (
	fieldDialect     = "dialect"
	fieldSchema      = "schema"
	fieldTable       = "table"
	fieldColumn      = "column"
	fieldPattern     = "pattern"
	fieldOptions     = "options"
	fieldIfNotExists = "if not exists"
	fieldPartition   = "partition"
	fieldIdentifier  = "identifier"
	fieldParameter   = "parameter"
	fieldPartitions  = "partitions"
	fieldGroupSize   = "group size"
)

// FieldError names a value that a field can't have, and why. Field is
// "dialect", "schema", "table", "column", "pattern", "options", "if not
// exists", "parameter", "partition" for the name that the pattern gives a
// partition, or "identifier" for one that stands by itself. It matches
// [ErrTable].
type FieldError struct {
	Field, Value, Reason string
}

func (e *FieldError) Error() string {
	return fmt.Sprintf("partition: %s %q %s", e.Field, e.Value, e.Reason)
}

// Is reports whether target is [ErrTable].
func (e *FieldError) Is(target error) bool { return target == ErrTable }

// LengthError names an identifier for which the dialect has no room. Field is
// as in [FieldError]; Length and Max are in Unit, "bytes" or "characters". It
// matches [ErrTable].
type LengthError struct {
	Field, Name string
	Length, Max int
	Unit        string
}

func (e *LengthError) Error() string {
	return fmt.Sprintf("partition: %s %q has %d %s, want 1 to %d", e.Field, e.Name, e.Length, e.Unit, e.Max)
}

// Is reports whether target is [ErrTable].
func (e *LengthError) Is(target error) bool { return target == ErrTable }

// NumberError names a number out of its bounds. Field is "partitions", the
// number that the table would have, or "group size". It matches [ErrTable].
type NumberError struct {
	Field           string
	Value, Min, Max uint64
}

func (e *NumberError) Error() string {
	return fmt.Sprintf("partition: %s is %d, want %d to %d", e.Field, e.Value, e.Min, e.Max)
}

// Is reports whether target is [ErrTable].
func (e *NumberError) Is(target error) bool { return target == ErrTable }

// SpanError names a span that doesn't lie within the partitions of the layout,
// 0 to Max, or whose first is above its last. It matches [ErrSpan].
type SpanError struct {
	Span Span
	Max  uint64
}

func (e *SpanError) Error() string {
	return fmt.Sprintf("partition: span from %d to %d is none of partitions 0 to %d", e.Span.First, e.Span.Last, e.Max)
}

// Is reports whether target is [ErrSpan].
func (e *SpanError) Is(target error) bool { return target == ErrSpan }

// joined is errors.Join, but leaves a single error as it is.
func joined(violations []error) error {
	if len(violations) == 1 {
		return violations[0]
	}
	return errors.Join(violations...)
}
