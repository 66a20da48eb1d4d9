package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
)

// Without a step, what is asked for is reserved in as few parts as there can be,
// with less than one number over for each.
func TestStep(t *testing.T) {
	f := &counterFlags{Mode: modeFlag(segment.Sync)}
	for count, want := range map[int64]int64{
		1: 1, 5: 5, 10_000: 10_000, 10_001: 5_001, 20_000: 10_000, 25_001: 8_334, math.MaxInt64: 10_000,
	} {
		step := f.step(count)
		require.Equal(t, want, step, count)
		parts := (count-1)/step + 1
		require.Equal(t, (count-1)/maxStep+1, parts, count)
		if count < math.MaxInt64 {
			require.Less(t, parts*step-count, parts)
		}
	}
	f.Mode = modeFlag(segment.Chain)
	require.EqualValues(t, 10, f.step(500))
	f.Step = new(int64)
	*f.Step = 7
	require.EqualValues(t, 7, f.step(500))
}
