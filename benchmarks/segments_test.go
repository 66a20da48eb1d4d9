package main

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMeasureTails(t *testing.T) {
	tails, err := measureTails(1)
	require.NoError(t, err)
	require.Len(t, tails, 2)
	for _, row := range tails {
		require.Positive(t, row.NS.Median)
		require.Equal(t, 1, row.Ratio.Count)
		require.Equal(t, row.Ratio.Median <= row.Limit, row.Pass)
	}
}

func TestTailRefusesWhatIsBroken(t *testing.T) {
	_, err := tail(func() (int64, error) { return 7, nil })
	require.ErrorContains(t, err, "7 after 7")
	broken := errors.New("broken")
	_, err = tail(func() (int64, error) { return 0, broken })
	require.ErrorIs(t, err, broken)
}
