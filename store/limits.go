package store

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// Limits says what a store can't hold, beyond what the contract excludes for
// all. The zero value has no limits of its own. Each of its methods checks the
// arguments of one call and reports every violation, each an [*ArgumentError].
type Limits struct {
	// MaxKey is the length of the longest [Key.String], in bytes. 0: no bound.
	MaxKey int
	// Reserved holds the characters that a key can't have.
	Reserved string
	// MaxValue is the size of the largest record, in bytes. 0: no bound.
	MaxValue int
}

// CheckKey checks that neither part of key is empty, that both are UTF-8 without
// NUL, and that the store can hold them. UTF-8 is asked for since some stores
// replace what isn't, which would make one key of two.
func (l Limits) CheckKey(key Key) error {
	violations := []error{l.part("namespace", key.Namespace), l.part("name", key.Name)}
	if text := key.String(); l.MaxKey > 0 && len(text) > l.MaxKey {
		bound := fmt.Sprintf("at most %d bytes", l.MaxKey)
		violations = append(violations, &ArgumentError{Field: "key", Value: text, Bound: bound})
	}
	return joined(violations...)
}

// CheckCreate checks the arguments of [Counters].Create.
func (l Limits) CheckCreate(key Key, start int64) error {
	return joined(l.CheckKey(key), atLeast("start", start, 0))
}

// CheckAllocate checks the arguments of [Counters].Allocate.
func (l Limits) CheckAllocate(key Key, n int64) error {
	return joined(l.CheckKey(key), atLeast("n", n, 1))
}

// CheckRaise checks the arguments of [Counters].Raise.
func (l Limits) CheckRaise(key Key, to int64) error {
	return joined(l.CheckKey(key), atLeast("to", to, 0))
}

// CheckCompareAndSet checks the arguments of [Records].CompareAndSet. An old
// value that no record can have is refused as well.
func (l Limits) CheckCompareAndSet(key Key, old, value []byte) error {
	return joined(l.CheckKey(key), size("length of old", len(old), 0, l.MaxValue), size("length of value", len(value), 1, l.MaxValue))
}

func (l Limits) part(field, text string) error {
	switch {
	case text == "":
		return &ArgumentError{Field: field, Value: text, Bound: "1 character or more"}
	case !utf8.ValidString(text):
		return &ArgumentError{Field: field, Value: text, Bound: "UTF-8"}
	case strings.ContainsRune(text, 0):
		return &ArgumentError{Field: field, Value: text, Bound: "no NUL"}
	case strings.ContainsAny(text, l.Reserved):
		return &ArgumentError{Field: field, Value: text, Bound: fmt.Sprintf("none of %q", l.Reserved)}
	}
	return nil
}

// size checks a length. A most of 0 is no bound.
func size(field string, n, least, most int) error {
	if most == 0 {
		return atLeast(field, int64(n), int64(least))
	}
	return within(field, int64(n), int64(least), int64(most))
}

func atLeast(field string, n, least int64) error { return within(field, n, least, math.MaxInt64) }

func within(field string, n, least, most int64) error {
	if n >= least && n <= most {
		return nil
	}
	return &ArgumentError{Field: field, Value: n, Bound: fmt.Sprintf("%d to %d", least, most)}
}

// joined is errors.Join, but leaves a single error as it is.
func joined(violations ...error) error {
	var found []error
	for _, v := range violations {
		if v != nil {
			found = append(found, v)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return errors.Join(found...)
}
