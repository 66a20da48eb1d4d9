package bits

import (
	"errors"
	"math"
	"strconv"
)

const (
	// fullWidth leaves out the sign; exactWidth is the largest width whose
	// numbers all fit a float64, and so a number of JavaScript.
	fullWidth  = 63
	exactWidth = 53

	fieldPartition = "partition"
	fieldTime      = "time"
	fieldNode      = "node"
	fieldSequence  = "sequence"
	fieldSum       = "sum"
	fieldFirst     = "first time"
	fieldLast      = "last time"
)

// Layout says how many bits of an id each field has, from the most significant
// field down. A width of 0 means that the field doesn't exist. Layouts can be
// compared with ==.
//
// The zero value is no valid layout. Methods on a layout that Validate refuses
// don't panic: those that return an error return the one of Validate, Width
// and MaxID return 0, and what the others return means nothing.
type Layout struct {
	Partition, Time, Node, Sequence int
}

// Fields says which fields a layout has.
type Fields struct {
	Partition, Time, Node, Sequence bool
}

// Validate returns nil if the layout can make ids: no width is negative, the
// sequence has at least 1 bit, and the widths add up to exactly 63 or exactly
// 53. Otherwise it returns every violation joined, each a [*WidthError] that
// matches [ErrLayout]. Time may have 0 bits: numbers that are unique by
// themselves need none. See [Layout.ValidateClock].
func (l Layout) Validate() error { return l.validate(0) }

// ValidateClock is Validate for ids that a clock drives: the time needs at
// least 1 bit too.
func (l Layout) ValidateClock() error { return l.validate(1) }

func (l Layout) validate(minTime int) error {
	if l.valid() && l.Time >= minTime {
		return nil
	}

	var violations []error
	sum := 0
	for _, w := range [...]WidthError{
		{fieldPartition, l.Partition, 0, fullWidth - 1},
		{fieldTime, l.Time, minTime, fullWidth - 1},
		{fieldNode, l.Node, 0, fullWidth - 1},
		{fieldSequence, l.Sequence, 1, fullWidth},
	} {
		if w.Value < w.Min || w.Value > w.Max {
			violations = append(violations, &w)
		}
		sum = addSaturating(sum, w.Value)
	}
	if sum != fullWidth && sum != exactWidth {
		violations = append(violations, &WidthError{fieldSum, sum, exactWidth, fullWidth})
	}
	return errors.Join(violations...)
}

// valid is Validate without the explanation, cheap enough for each call.
func (l Layout) valid() bool {
	if uint(l.Partition) > fullWidth || uint(l.Time) > fullWidth || uint(l.Node) > fullWidth ||
		uint(l.Sequence-1) >= fullWidth {
		return false
	}
	sum := l.Partition + l.Time + l.Node + l.Sequence
	return sum == fullWidth || sum == exactWidth
}

// Width returns the bits of an id: 63 or 53.
func (l Layout) Width() int {
	if !l.valid() {
		return 0
	}
	return l.Partition + l.Time + l.Node + l.Sequence
}

// MaxID returns the largest id, 2^Width-1. The smallest is 1.
func (l Layout) MaxID() int64 { return int64(mask(l.Width())) }

// MaxPartition returns the largest partition, 0 without partition bits.
func (l Layout) MaxPartition() uint64 { return mask(l.Partition) }

// MaxTime returns the largest time in units, 0 without time bits.
func (l Layout) MaxTime() uint64 { return mask(l.Time) }

// MaxNode returns the largest node, 0 without node bits.
func (l Layout) MaxNode() uint64 { return mask(l.Node) }

// MaxSequence returns the largest sequence.
func (l Layout) MaxSequence() uint64 { return mask(l.Sequence) }

// Partitions returns how many partitions there are: 1 without partition bits.
func (l Layout) Partitions() uint64 { return mask(l.Partition) + 1 }

// Nodes returns how many nodes there can be: 1 without node bits.
func (l Layout) Nodes() uint64 { return mask(l.Node) + 1 }

// IDsPerUnit returns how many ids one node can make in one unit of time, in
// one partition. The unit 0 of node 0 in partition 0 has one less, since there
// is no id 0.
func (l Layout) IDsPerUnit() uint64 { return mask(l.Sequence) + 1 }

// Fields returns which fields exist.
func (l Layout) Fields() Fields {
	return Fields{
		Partition: l.Partition > 0,
		Time:      l.Time > 0,
		Node:      l.Node > 0,
		Sequence:  l.Sequence > 0,
	}
}

// String returns the widths from the top down, as in "4/41/6/12".
func (l Layout) String() string {
	b := make([]byte, 0, len("00/00/00/00"))
	b = strconv.AppendInt(b, int64(l.Partition), 10)
	b = strconv.AppendInt(append(b, '/'), int64(l.Time), 10)
	b = strconv.AppendInt(append(b, '/'), int64(l.Node), 10)
	b = strconv.AppendInt(append(b, '/'), int64(l.Sequence), 10)
	return string(b)
}

// mask returns 2^width-1. A negative width, unsigned, is a shift by more bits
// than there are; left signed, it would panic.
func mask(width int) uint64 { return 1<<uint(width) - 1 }

// addSaturating keeps the sum of absurd widths from wrapping into a valid one.
func addSaturating(a, b int) int {
	switch {
	case b > 0 && a > math.MaxInt-b:
		return math.MaxInt
	case b < 0 && a < math.MinInt-b:
		return math.MinInt
	}
	return a + b
}
