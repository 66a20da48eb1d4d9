package telemetry

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

type callFunc func()

func (f callFunc) call() { f() }

// Numbers that share leading, trailing or all but one of their digits aren't
// taken for each other, alone or nested.
func TestMarked(t *testing.T) {
	numbers := []uint64{1, 2, 3, 4, 5, 6, 7, 8, 1 << 32, 1<<32 + 1, math.MaxUint64 - 1, math.MaxUint64, 1 << 63}
	require.Equal(t, []uint64(nil), readMarks(numbers))
	for _, outer := range numbers {
		var got []uint64
		mark(outer, callFunc(func() { got = readMarks(numbers) }))
		require.Equal(t, []uint64{outer}, got)
		for _, inner := range numbers {
			mark(outer, callFunc(func() {
				mark(inner, callFunc(func() { got = readMarks(numbers) }))
			}))
			want := map[uint64]bool{outer: true, inner: true}
			require.Len(t, got, len(want))
			for _, number := range got {
				require.True(t, want[number], "%d in %d reads as %d", inner, outer, number)
			}
		}
		require.False(t, marked(outer), "the call has returned")
	}
}

func readMarks(numbers []uint64) (on []uint64) {
	for _, number := range numbers {
		if marked(number) {
			on = append(on, number)
		}
	}
	return on
}
