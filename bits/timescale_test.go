package bits_test

import (
	"math"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
)

// yearOneToUnix is from 0001-01-01 to 1970-01-01 in seconds.
var yearOneToUnix = -time.Time{}.Unix()

// latest is the last instant that a time.Time holds; the first is
// at(math.MinInt64).
var latest = time.Unix(math.MaxInt64-yearOneToUnix, 999999999)

// bigNanoseconds is an instant in nanoseconds since the year 1, found without
// Unix, which wraps around, by halving with Before.
func bigNanoseconds(t time.Time) *big.Int {
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	for low < high {
		// at or below the middle, rounded up, without overflow
		middle := low>>1 + high>>1 + (low|high)&1
		if at(middle).After(t) {
			high = middle - 1
		} else {
			low = middle
		}
	}
	n := new(big.Int).Mul(big.NewInt(low), big.NewInt(1e9))
	return n.Add(n, big.NewInt(int64(t.Nanosecond())))
}

// at is the instant that is so many seconds after the year 1.
func at(seconds int64) time.Time { return time.Unix(seconds-yearOneToUnix, 0) }

// bigUnits is Units and UnitsCeil in numbers without a limit.
func bigUnits(s bits.Timescale, t time.Time) (floor, ceil int64) {
	distance := new(big.Int).Sub(bigNanoseconds(t), bigNanoseconds(s.Epoch))
	unit := big.NewInt(int64(s.Unit))
	quotient, rest := new(big.Int).DivMod(distance, unit, new(big.Int)) // rounds down: unit is positive
	floor = saturate(quotient)
	if rest.Sign() != 0 {
		quotient.Add(quotient, big.NewInt(1))
	}
	return floor, saturate(quotient)
}

func saturate(n *big.Int) int64 {
	switch {
	case n.IsInt64():
		return n.Int64()
	case n.Sign() < 0:
		return math.MinInt64
	default:
		return math.MaxInt64
	}
}

func TestTimescale_Validate(t *testing.T) {
	epoch := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, unit := range []time.Duration{1, time.Millisecond, time.Second, 24 * time.Hour} {
		require.NoError(t, bits.Timescale{Epoch: epoch, Unit: unit}.Validate())
	}
	require.NoError(t, bits.Timescale{Epoch: time.Unix(-1<<40, 1), Unit: 1}.Validate())

	for _, unit := range []time.Duration{0, -1, math.MinInt64, 24*time.Hour + 1, math.MaxInt64} {
		err := bits.Timescale{Epoch: epoch, Unit: unit}.Validate()
		require.Equal(t, []error{&bits.UnitError{Value: unit, Min: 1, Max: 24 * time.Hour}}, flatten(err))
		require.ErrorIs(t, err, bits.ErrTimescale)
	}

	err := bits.Timescale{}.Validate()
	require.EqualError(t, err, "bits: unit is 0s, want 1ns to 24h0m0s\n"+
		"bits: epoch 0001-01-01T00:00:00Z is the zero time")
	require.ErrorIs(t, err, bits.ErrTimescale)
	require.NotErrorIs(t, err, bits.ErrLayout)
	require.Equal(t, &bits.EpochError{}, flatten(err)[1])
}

func TestTimescale_Units(t *testing.T) {
	epoch := time.Date(2026, 1, 1, 0, 0, 0, 500, time.UTC)
	s := bits.Timescale{Epoch: epoch, Unit: time.Millisecond}
	tests := []struct {
		after       time.Duration
		floor, ceil int64
	}{
		{0, 0, 0},
		{1, 0, 1},
		{time.Millisecond - 1, 0, 1},
		{time.Millisecond, 1, 1},
		{time.Millisecond + 1, 1, 2},
		{-1, -1, 0},
		{-time.Millisecond, -1, -1},
		{-time.Millisecond - 1, -2, -1},
		{time.Hour, 3600000, 3600000},
		{math.MaxInt64, 9223372036854, 9223372036855},
		{math.MinInt64, -9223372036855, -9223372036854},
	}
	for _, tt := range tests {
		at := epoch.Add(tt.after)
		require.Equal(t, tt.floor, s.Units(at), tt.after)
		require.Equal(t, tt.ceil, s.UnitsCeil(at), tt.after)
		require.Equal(t, tt.floor, s.Units(at.In(time.FixedZone("", 3600))), tt.after)
	}
}

func TestTimescale_Units_ofEveryTime(t *testing.T) {
	times := []time.Time{
		latest, time.Time{}.Add(math.MinInt64),
		at(math.MinInt64), at(math.MinInt64).Add(1), at(math.MinInt64 + yearOneToUnix), at(math.MinInt64 + yearOneToUnix - 1),
		at(-1), at(0), at(1), at(math.MaxInt64), at(math.MaxInt64).Add(-1),
		time.Unix(0, 0), time.Unix(0, math.MaxInt64), time.Unix(0, math.MinInt64), time.Unix(0, 1),
		time.Date(2026, 7, 23, 21, 43, 0, 999999999, time.UTC),
		time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC),
		// 2^63 - 1, 2^63, 2^64 - 1 and 2^64 nanoseconds after the year 1970
		time.Unix(9223372036, 854775807), time.Unix(9223372036, 854775808),
		time.Unix(18446744073, 709551615), time.Unix(18446744073, 709551616),
		time.Unix(-9223372036, -854775808), time.Unix(-9223372036, -854775809),
	}
	for _, unit := range []time.Duration{1, 2, 3, time.Microsecond, time.Millisecond, time.Second, 24*time.Hour - 1, 24 * time.Hour} {
		for _, epoch := range times {
			for _, at := range times {
				s := bits.Timescale{Epoch: epoch, Unit: unit}
				floor, ceil := bigUnits(s, at)
				require.Equal(t, floor, s.Units(at), "%v %v %v", epoch, unit, at)
				require.Equal(t, ceil, s.UnitsCeil(at), "%v %v %v", epoch, unit, at)
			}
		}
	}
}

func TestTimescale_Units_limits(t *testing.T) {
	s := bits.Timescale{Epoch: time.Unix(0, 0), Unit: 1}
	require.Equal(t, int64(math.MaxInt64), s.Units(time.Unix(0, math.MaxInt64)))
	require.Equal(t, int64(math.MaxInt64), s.Units(time.Unix(1<<40, 0)))
	require.Equal(t, int64(math.MaxInt64), s.UnitsCeil(latest))
	require.Equal(t, int64(math.MinInt64), s.Units(time.Unix(0, math.MinInt64)))
	require.Equal(t, int64(math.MinInt64), s.Units(time.Unix(-1<<40, 0)))
	require.Equal(t, int64(math.MinInt64), s.UnitsCeil(at(math.MinInt64)))
}

func TestTimescale_Units_readsTheWallClock(t *testing.T) {
	now := time.Now()
	s := bits.Timescale{Epoch: now, Unit: time.Nanosecond}
	require.Equal(t, int64(1), s.Units(now.Add(1).Round(0)))
	require.Equal(t, int64(1), s.Units(now.Add(1)))
}

func TestTimescale_Time(t *testing.T) {
	s := bits.Timescale{Epoch: time.Date(2026, 1, 1, 8, 0, 0, 1, time.FixedZone("", 8*3600)), Unit: time.Millisecond}
	require.Equal(t, time.Date(2026, 1, 1, 0, 0, 0, 1, time.UTC), s.Time(0))
	require.Equal(t, time.Date(2026, 1, 1, 0, 0, 1, 1000001, time.UTC), s.Time(1001))

	// Above 2^63 and 2^64 nanoseconds.
	s.Unit = time.Hour
	require.Equal(t, time.Date(3026, 1, 1, 0, 0, 0, 1, time.UTC), s.Time(365243*24-24))
}

func TestTimescale_Time_stopsAtTheLastInstant(t *testing.T) {
	year := int64(292277024627) // too large for an int of 32 bits, as Year itself is
	for _, s := range []bits.Timescale{
		{Epoch: time.Unix(0, 0), Unit: 24 * time.Hour},
		{Epoch: at(math.MinInt64), Unit: 24 * time.Hour},
		{Epoch: at(math.MaxInt64), Unit: 1},
	} {
		got := s.Time(math.MaxUint64)
		require.True(t, got.Equal(latest), got)
		require.Equal(t, int(year), got.Year())
		require.Equal(t, got, s.End(bits.Layout{Time: 62, Sequence: 1}))
		require.False(t, got.Add(-1).After(got))
	}

	// The last second itself is no limit yet.
	s := bits.Timescale{Epoch: at(math.MaxInt64), Unit: 1}
	require.True(t, s.Time(5).Equal(at(math.MaxInt64).Add(5)))
	require.True(t, s.Time(1e9-1).Equal(latest))
	require.True(t, s.Time(1e9).Equal(latest))
}

func TestTimescale_End(t *testing.T) {
	d := bits.Default()
	end := d.Timescale.End(d.Layout)
	require.Equal(t, "2096-03-29T13:30:35.552Z", end.Format(time.RFC3339Nano))
	require.Equal(t, int64(d.Layout.MaxTime())+1, d.Timescale.Units(end))
	require.Equal(t, int64(d.Layout.MaxTime()), d.Timescale.Units(end.Add(-1)))
}

func TestTimescale_zeroValueDoesNotPanic(t *testing.T) {
	for _, unit := range []time.Duration{0, -1, math.MinInt64} {
		s := bits.Timescale{Unit: unit}
		require.Equal(t, int64(5), s.Units(time.Time{}.Add(5)))
		require.Equal(t, int64(-5), s.UnitsCeil(time.Time{}.Add(-5)))
		require.True(t, time.Time{}.Add(5).Equal(s.Time(5)))
	}
}

func TestTimescale_doesNotAllocate(t *testing.T) {
	s := bits.Default().Timescale
	now := time.Now()
	require.Zero(t, testing.AllocsPerRun(100, func() {
		s.Units(now)
		s.UnitsCeil(latest)
		s.Time(123)
	}))
}

func FuzzTimescale(f *testing.F) {
	f.Add(int64(1784842980), uint32(0), int64(time.Millisecond), int64(1790000000), uint32(123456789), uint64(5))
	f.Add(int64(math.MinInt64), uint32(999999999), int64(1), int64(math.MaxInt64), uint32(0), uint64(math.MaxUint64))
	f.Add(int64(math.MaxInt64), uint32(1), int64(24*time.Hour), int64(math.MinInt64), uint32(2), uint64(1)<<62)
	f.Add(int64(0), uint32(0), int64(3), int64(-9223372037), uint32(145224192), uint64(1)<<63)
	f.Fuzz(func(t *testing.T, epochSeconds int64, epochNanoseconds uint32, unit, seconds int64, nanoseconds uint32, units uint64) {
		s := bits.Timescale{
			Epoch: time.Unix(epochSeconds, int64(epochNanoseconds%1e9)),
			Unit:  time.Duration(unit),
		}
		if s.Validate() != nil {
			return
		}
		instant := time.Unix(seconds, int64(nanoseconds%1e9))

		floor, ceil := bigUnits(s, instant)
		require.Equal(t, floor, s.Units(instant))
		require.Equal(t, ceil, s.UnitsCeil(instant))

		want := new(big.Int).SetUint64(units)
		want.Mul(want, big.NewInt(unit)).Add(want, bigNanoseconds(s.Epoch))
		if last := bigNanoseconds(latest); want.Cmp(last) > 0 {
			require.True(t, s.Time(units).Equal(latest))
			return
		}
		begin := s.Time(units)
		require.Equal(t, want.String(), bigNanoseconds(begin).String())
		require.Equal(t, time.UTC, begin.Location())
		if units <= math.MaxInt64 {
			require.Equal(t, int64(units), s.Units(begin))
			require.Equal(t, int64(units), s.UnitsCeil(begin))
		}
	})
}

func BenchmarkTimescale_Units(b *testing.B) {
	now := time.Now()
	b.Run("floor=time.Sub", func(b *testing.B) {
		s := bits.Default().Timescale
		var sum int64
		for b.Loop() {
			sum += int64(now.Sub(s.Epoch) / s.Unit)
		}
		_ = sum
	})
	b.Run("near", func(b *testing.B) {
		s := bits.Default().Timescale
		for b.Loop() {
			s.Units(now)
		}
	})
	b.Run("far", func(b *testing.B) {
		s := bits.Default().Timescale
		for b.Loop() {
			s.Units(latest)
		}
	})
}
