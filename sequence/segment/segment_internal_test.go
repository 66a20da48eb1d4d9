package segment

import (
	"math"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// The word has a cache line to itself and what is cold; what all callers read
// is on another.
func TestSegmentLayout(t *testing.T) {
	var s segment
	require.EqualValues(t, 128, unsafe.Sizeof(s))
	require.EqualValues(t, 64, unsafe.Offsetof(s.word))
	require.Less(t, unsafe.Offsetof(s.group), uintptr(64))
	require.Greater(t, unsafe.Offsetof(Generator{}.mu), uintptr(64))
	require.Zero(t, unsafe.Offsetof(Generator{}.current))
}

// Calls that are refused don't push the word on, so they can't make it wrap.
func TestRefusedBatchesLeaveTheWord(t *testing.T) {
	s := &segment{size: 10, group: new(group)}
	index, count := s.claim(8)
	require.Equal(t, [2]uint64{0, 8}, [2]uint64{index, count})
	index, count = s.claim(MaxBatch)
	require.Equal(t, [2]uint64{8, 2}, [2]uint64{index, count})
	stands := s.word.Load()
	for range 100 {
		_, count = s.claim(MaxBatch)
		require.Zero(t, count)
	}
	require.Equal(t, stands, s.word.Load())
}

func TestAClosedSegmentGivesNothing(t *testing.T) {
	s := &segment{size: 10, group: new(group)}
	s.claim(3)
	claimed, lost := s.close()
	require.Equal(t, [2]uint64{3, 7}, [2]uint64{claimed, lost})
	for _, n := range []uint64{1, 2, MaxBatch} {
		_, count := s.claim(n)
		require.Zero(t, count)
	}
	require.Zero(t, s.left())
}

func TestHistogram(t *testing.T) {
	last := -1
	for _, n := range []uint64{0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 15, 16, 1000, 1 << 40, math.MaxInt64, math.MaxUint64} {
		c := class(n)
		require.GreaterOrEqual(t, c, last, n)
		last = c
		require.GreaterOrEqual(t, largest(c), n)
		require.Equal(t, c, class(largest(c)), n)
		require.LessOrEqual(t, float64(largest(c)), 1.25*float64(n)+1)
		if largest(c) < math.MaxUint64 {
			require.Equal(t, c+1, class(largest(c)+1), n)
		}
	}
	require.Less(t, last, len(histogram{}.classes))

	var h histogram
	require.Zero(t, h.quantile(0.99))
	for i := range 1000 {
		h.add(time.Duration(i+1) * time.Millisecond)
	}
	require.InDelta(t, 990, h.quantile(0.99).Milliseconds(), 150)
	require.InDelta(t, 500, h.quantile(0.5).Milliseconds(), 130)
	require.Equal(t, 500*time.Millisecond+time.Millisecond/2, h.mean())
}

func TestRateOfNothing(t *testing.T) {
	require.Equal(t, time.Duration(math.MaxInt64), lasts(0, 0))
	require.Equal(t, time.Duration(math.MaxInt64), lasts(5, 0))
	require.Equal(t, time.Second, lasts(5, 5))
	require.Zero(t, lasts(0, 5))
	m := meter{rate: 1e30}
	require.EqualValues(t, uint64(1)<<62, m.during(time.Hour))
}
