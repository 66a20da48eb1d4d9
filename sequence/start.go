package sequence

import "fmt"

// Start says at which sequence number the ids of a new unit of time begin.
type Start uint8

const (
	// FromZero begins each unit at 0. At low rates most ids then end in the
	// same bits, and id % 16, say, hardly changes.
	FromZero Start = iota
	// Spread begins each unit at a number that changes from unit to unit,
	// evenly over up to 256 numbers and a quarter of the sequence, so that
	// the remainders of ids spread evenly. It costs up to an eighth of the
	// ids per unit, on average; a unit that is entered by an overflow begins
	// at 0. It needs at least 3 sequence bits.
	Spread
)

const (
	minSpreadBits = 3
	maxSpread     = 1 << 8
)

func (s Start) String() string {
	switch s {
	case FromZero:
		return "from zero"
	case Spread:
		return "spread"
	}
	return fmt.Sprintf("Start(%d)", uint8(s))
}

// begin is the first word of a unit. All callers get the same for a unit: a
// different one for each would let them skip numbers.
func (s *Sequence) begin(unit uint64) uint64 {
	word := unit << s.space.settings.Layout.Sequence
	if s.space.spread > 1 {
		word += mix(unit^s.base) % s.space.spread
	}
	return word
}

// mix is the finalizer of splitmix64: each bit of x changes half of the bits
// of the result.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
