package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestSpread(t *testing.T) {
	for name, c := range map[string]struct {
		values []float64
		want   Spread
	}{
		"none":         {nil, Spread{}},
		"one":          {[]float64{7}, Spread{7, 7, 7, 1}},
		"two":          {[]float64{4, 2}, Spread{2.5, 3, 3.5, 2}},
		"odd":          {[]float64{5, 1, 3, 2, 4}, Spread{2, 3, 4, 5}},
		"an outlier":   {[]float64{1, 1, 1, 1, 1000}, Spread{1, 1, 1, 5}},
		"interpolated": {[]float64{0, 1, 2, 3}, Spread{0.75, 1.5, 2.25, 4}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, spread(c.values))
		})
	}
}

func TestSpreadLeavesItsValuesInOrder(t *testing.T) {
	values := []float64{3, 1, 2}
	spread(values)
	require.Equal(t, []float64{3, 1, 2}, values)
}

func TestRatios(t *testing.T) {
	require.Equal(t, []float64{2, 0.5}, ratios([]float64{4, 2}, []float64{2, 4}))
	// The median of ratios is that of pairs, not the ratio of medians.
	require.InDelta(t, 1.0, spread(ratios([]float64{1, 10, 100}, []float64{1, 10, 50})).Median, 1e-9)
}

func TestCover(t *testing.T) {
	at := func(ms int) time.Time { return time.Unix(0, 0).Add(time.Duration(ms) * time.Millisecond) }
	for name, c := range map[string]struct {
		spans   []span
		took    time.Duration
		overlap float64
	}{
		"alone":             {[]span{{at(1), at(5)}}, 4 * time.Millisecond, 1},
		"together":          {[]span{{at(0), at(10)}, {at(0), at(10)}}, 10 * time.Millisecond, 1},
		"half":              {[]span{{at(0), at(10)}, {at(5), at(10)}}, 10 * time.Millisecond, 0.5},
		"one ended early":   {[]span{{at(0), at(4)}, {at(0), at(16)}}, 16 * time.Millisecond, 0.25},
		"after one another": {[]span{{at(0), at(5)}, {at(5), at(10)}}, 10 * time.Millisecond, 0},
		"never together":    {[]span{{at(0), at(4)}, {at(6), at(10)}}, 10 * time.Millisecond, 0},
	} {
		t.Run(name, func(t *testing.T) {
			took, overlap := cover(c.spans)
			require.Equal(t, c.took, took)
			require.InDelta(t, c.overlap, overlap, 1e-9)
		})
	}
}
