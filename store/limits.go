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
	return joined(l.CheckKey(key), l.size("old", len(old), 0), l.size("value", len(value), 1))
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

func (l Limits) size(field string, size, least int) error {
	if size >= least && (l.MaxValue == 0 || size <= l.MaxValue) {
		return nil
	}
	bound := fmt.Sprintf("%d bytes or more", least)
	if l.MaxValue > 0 {
		bound = fmt.Sprintf("%d to %d bytes", least, l.MaxValue)
	}
	return &ArgumentError{Field: field, Value: int64(size), Bound: bound}
}

func atLeast(field string, n, least int64) error {
	if n >= least {
		return nil
	}
	return &ArgumentError{Field: field, Value: n, Bound: fmt.Sprintf("%d to %d", least, int64(math.MaxInt64))}
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
