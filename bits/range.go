package bits

import (
	"errors"
	"fmt"
)

// Range is the ids from First to Last, both inclusive, in the sense of SQL's
//
//	WHERE id BETWEEN first AND last
//
// It is empty if First is above Last. The zero value holds only 0, which is no
// id.
type Range struct {
	First, Last int64
}

// Empty reports whether the range holds nothing.
func (r Range) Empty() bool { return r.First > r.Last }

// Contains reports whether id lies in the range.
func (r Range) Contains(id int64) bool { return r.First <= id && id <= r.Last }

// String returns the range as in "[4096, 8191]", and "[]" if it is empty.
func (r Range) String() string {
	if r.Empty() {
		return "[]"
	}
	return fmt.Sprintf("[%d, %d]", r.First, r.Last)
}

// PartitionRange returns the ids of partition p. The ranges of neighbouring
// partitions touch, that of partition 0 begins at 0, and that of the last ends
// at MaxID. Without partition bits p must be 0, whose range is then all ids.
//
// A partition above MaxPartition gives a [*ValueError], which matches
// [ErrOutOfRange]. A layout that Validate refuses gives its [ErrLayout].
func (l Layout) PartitionRange(p uint64) (Range, error) {
	if !l.valid() {
		return Range{}, l.Validate()
	}
	if err := checkValue(fieldPartition, p, l.MaxPartition()); err != nil {
		return Range{}, err
	}
	return l.span(p, 0, l.MaxTime()), nil
}

// TimeRange returns the ids of partition p whose time is from first to last,
// in units since the epoch, both inclusive. Without partition bits p must be 0.
//
// It returns every violation joined, each a [*ValueError] that matches
// [ErrOutOfRange]: a partition above MaxPartition, a time above MaxTime, first
// above last. A layout that ValidateClock refuses, as one without time bits,
// gives its [ErrLayout] instead.
func (l Layout) TimeRange(p, first, last uint64) (Range, error) {
	if err := l.ValidateClock(); err != nil {
		return Range{}, err
	}
	if p > l.MaxPartition() || first > last || last > l.MaxTime() {
		return Range{}, errors.Join(
			checkValue(fieldPartition, p, l.MaxPartition()),
			checkValue(fieldFirst, first, l.MaxTime()),
			checkValue(fieldLast, last, l.MaxTime()),
			checkValue(fieldFirst, first, last),
		)
	}
	return l.span(p, first, last), nil
}

// span needs a valid layout and values within their bounds.
func (l Layout) span(partition, first, last uint64) Range {
	return Range{
		First: l.pack(partition, first, 0, 0),
		Last:  l.pack(partition, last, l.MaxNode(), l.MaxSequence()),
	}
}
