package sequence_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/sequence"
)

func spread(s *sequence.Settings) { s.Start = sequence.Spread }

// remainders makes one id in each of n units and counts their remainders.
func remainders(t *testing.T, change func(*sequence.Settings), n, modulus int) []int {
	f := newFixture(t, layoutWith(12), change)
	s := f.sequence("orders", 3, 0)
	counts := make([]int, modulus)
	for range n {
		counts[f.next(s)%int64(modulus)]++
		f.clock.Advance(time.Millisecond)
	}
	return counts
}

func TestFromZeroLeavesLowBitsAlike(t *testing.T) {
	require.Equal(t, 1000, remainders(t, nil, 1000, 16)[0])
}

// TestSpreadHistogram prints the histogram that docs/choosing-a-layout.md
// shows, with -v.
func TestSpreadHistogram(t *testing.T) {
	const n = 100_000
	for _, modulus := range []int{2, 3, 7, 16, 60, 256} {
		counts := remainders(t, spread, n, modulus)
		expected := float64(n) / float64(modulus)
		if modulus == 16 {
			var text strings.Builder
			for i, count := range counts {
				fmt.Fprintf(&text, "\n    %2d %5d %s", i, count, strings.Repeat("#", count/200))
			}
			t.Log(text.String())
		}
		for i, count := range counts {
			// Six standard deviations of a fair draw, and what the remainders
			// of 256 numbers differ by.
			tolerance := 6*math.Sqrt(expected) + expected*float64(modulus)/256
			require.InDelta(t, expected, float64(count), tolerance, "id %% %d = %d", modulus, i)
		}
	}
}

func TestSpreadKeepsOrderAndUniqueness(t *testing.T) {
	for _, bitsOfSequence := range []int{3, 4, 8, 12} {
		f := newFixture(t, layoutWith(bitsOfSequence), spread)
		s := f.sequence("orders", 0, 0)
		var last int64
		for i := range 20_000 {
			id := f.next(s)
			require.Greater(t, id, last)
			last = id
			switch i % 37 {
			case 5, 6, 7, 20:
				f.clock.Advance(time.Millisecond)
			case 30:
				f.step(-time.Minute)
			case 31:
				f.step(time.Minute)
			}
		}
	}
}

// Two claims in one unit are neighbours: the start is the unit's, not the call's.
func TestSpreadSkipsNothingWithinAUnit(t *testing.T) {
	f := newFixture(t, layoutWith(12), func(s *sequence.Settings) {
		spread(s)
		s.Timescale.Unit = time.Second
	})
	s := f.sequence("orders", 0, 0)
	first := f.next(s)
	for i := range int64(90) {
		f.clock.Advance(trust) // so that each call looks at the clock
		require.Equal(t, first+1+i, f.next(s))
	}
}

func TestSpreadNeverStartsAboveAQuarter(t *testing.T) {
	for sequenceBits, most := range map[int]uint64{3: 2, 5: 8, 10: 256, 15: 256} {
		f := newFixture(t, layoutWith(sequenceBits), spread)
		s := f.sequence("orders", 0, 0)
		var highest uint64
		for range 5_000 {
			highest = max(highest, f.parts(f.next(s)).Sequence)
			f.clock.Advance(time.Millisecond)
		}
		require.Equal(t, most-1, highest, "%d sequence bits", sequenceBits)
	}
}

func TestSpreadUnderWaitStaysBelowTheLimit(t *testing.T) {
	f := newFixture(t, layoutWith(3), func(s *sequence.Settings) {
		spread(s)
		s.AheadPolicy = sequence.Fail
	})
	s := f.sequence("orders", 0, 0)
	for range 200 {
		for {
			id, err := s.Next(t.Context(), &f.caller)
			if err != nil {
				require.ErrorIs(t, err, sequence.ErrAhead)
				break
			}
			require.LessOrEqual(t, f.timeOf(id), f.clock.Read().Wall.Sub(f.start))
		}
		f.clock.Advance(time.Millisecond)
	}
}

func TestSpreadNeedsRoom(t *testing.T) {
	settings := sequence.Settings{
		Layout:    bits.Layout{Time: 61, Sequence: 2},
		Timescale: bits.Default().Timescale,
		Start:     sequence.Spread,
	}
	require.ErrorContains(t, settings.Validate(), "Spread needs 3 sequence bits, the layout has 2")
	settings.Start = 7
	require.ErrorContains(t, settings.Validate(), "Start(7) is none of from zero (0), spread (1)")
}
