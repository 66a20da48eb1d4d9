package bits

import (
	"errors"
	"math"
	mathbits "math/bits"
	"time"
)

const (
	minUnit = time.Nanosecond
	maxUnit = 24 * time.Hour

	// yearOneToUnix is 1970-01-01T00:00:00Z in seconds since
	// 0001-01-01T00:00:00Z, where time.Time counts from.
	yearOneToUnix = 62135596800
)

// Timescale counts time in whole units since an epoch: unit n begins at
// Epoch + n × Unit and ends where unit n+1 begins. It is part of the data
// format of stored ids.
//
// Only the wall clock reading of a time.Time counts here, never the monotonic
// one. Compare two epochs with time.Time.Equal, not with ==.
//
// The zero value is not valid. Methods don't panic on it: a Unit below 1 ns
// counts as 1 ns.
type Timescale struct {
	Epoch time.Time
	Unit  time.Duration
}

// Validate returns nil if the unit is from 1 ns to 24 h and the epoch is not
// the zero time.Time. Otherwise it returns every violation joined, a
// [*UnitError] and an [*EpochError]; both match [ErrTimescale].
func (s Timescale) Validate() error {
	var unit, epoch error
	if s.Unit < minUnit || s.Unit > maxUnit {
		unit = &UnitError{Value: s.Unit, Min: minUnit, Max: maxUnit}
	}
	if s.Epoch.IsZero() {
		epoch = &EpochError{Epoch: s.Epoch}
	}
	return errors.Join(unit, epoch)
}

// Units returns the unit that t lies in: (t - Epoch) / Unit, rounded down, so
// that it is negative for any t before the epoch. It is exact for every
// time.Time; a result that no int64 holds becomes the nearest one that is.
func (s Timescale) Units(t time.Time) int64 {
	n, partial, before := s.distance(t)
	switch {
	case before:
		if n >= 1<<63 {
			return math.MinInt64
		}
		return -int64(n + partial)
	case n > math.MaxInt64:
		return math.MaxInt64
	default:
		return int64(n)
	}
}

// UnitsCeil returns the first unit that begins at or after t: Units rounded up
// instead of down, with the same limits.
func (s Timescale) UnitsCeil(t time.Time) int64 {
	n, partial, before := s.distance(t)
	switch {
	case before:
		if n >= 1<<63 {
			return math.MinInt64
		}
		return -int64(n)
	case n >= math.MaxInt64:
		return math.MaxInt64
	default:
		return int64(n + partial)
	}
}

// Time returns the instant at which a unit begins, in UTC. Units beyond the
// last instant that a time.Time holds, in the year 292,277,024,627, give that
// instant; a layout of 62 time bits and a unit of an hour gets there.
func (s Timescale) Time(units uint64) time.Time {
	hi, lo := mathbits.Mul64(units, s.unit())
	lo, carry := mathbits.Add64(lo, uint64(s.Epoch.Nanosecond()), 0)
	hi += carry
	if hi >= uint64(time.Second) {
		return lastInstant()
	}
	seconds, nanoseconds := mathbits.Div64(hi, lo, uint64(time.Second))

	epoch := secondsSinceYearOne(s.Epoch)
	// The true distance of two int64 always fits a uint64.
	if seconds > uint64(math.MaxInt64)-uint64(epoch) {
		return lastInstant()
	}
	return time.Unix(int64(uint64(epoch)+seconds)-yearOneToUnix, int64(nanoseconds)).UTC()
}

// End returns the first instant that the time field of l can't express,
// Time(MaxTime + 1): a sequence driven by a clock ends there. Without time bits
// it means nothing.
func (s Timescale) End(l Layout) time.Time { return s.Time(l.MaxTime() + 1) }

// distance returns how many whole units lie between the epoch and t, partial 1
// if there is more than whole units and else 0, and whether t is before the
// epoch. A distance that no uint64 holds becomes the largest.
//
// It runs once per unit of time on the path of making ids, hence one division,
// and that of 64 bits by 64 bits for all distances below 584 years.
func (s Timescale) distance(t time.Time) (n, partial uint64, before bool) {
	seconds, from := secondsSinceYearOne(t), secondsSinceYearOne(s.Epoch)
	nanoseconds := int64(t.Nanosecond() - s.Epoch.Nanosecond())
	before = seconds < from || seconds == from && nanoseconds < 0
	if before {
		seconds, from = from, seconds
		nanoseconds = -nanoseconds
	}

	// The true distance of two int64 always fits a uint64. If nanoseconds is
	// negative here, there is at least one second to borrow from.
	hi, lo := mathbits.Mul64(uint64(seconds)-uint64(from), uint64(time.Second))
	lo, carry := mathbits.Add64(lo, uint64(nanoseconds), 0)
	hi += carry + uint64(nanoseconds>>63)

	unit := s.unit()
	var rest uint64
	switch {
	case hi == 0:
		n, rest = lo/unit, lo%unit
	case hi < unit:
		n, rest = mathbits.Div64(hi, lo, unit)
	default:
		return math.MaxUint64, 0, before
	}
	if rest != 0 {
		partial = 1
	}
	return n, partial, before
}

func (s Timescale) unit() uint64 { return uint64(max(s.Unit, 1)) }

// secondsSinceYearOne tells all instants apart in their order. Unix wraps
// around for those before the year -292,277,022,399; adding what it took off
// wraps back.
func secondsSinceYearOne(t time.Time) int64 { return t.Unix() + yearOneToUnix }

func lastInstant() time.Time {
	return time.Unix(math.MaxInt64-yearOneToUnix, int64(time.Second-1)).UTC()
}
