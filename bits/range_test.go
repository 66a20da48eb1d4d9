package bits_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
)

func TestRange(t *testing.T) {
	r := bits.Range{First: 5, Last: 7}
	require.False(t, r.Empty())
	require.False(t, r.Contains(4))
	require.True(t, r.Contains(5))
	require.True(t, r.Contains(7))
	require.False(t, r.Contains(8))
	require.Equal(t, "[5, 7]", r.String())

	require.False(t, bits.Range{First: 5, Last: 5}.Empty())

	empty := bits.Range{First: 5, Last: 4}
	require.True(t, empty.Empty())
	require.False(t, empty.Contains(4))
	require.False(t, empty.Contains(5))
	require.Equal(t, "[]", empty.String())
}

func TestF15_rangesAreInclusiveAndValidated(t *testing.T) {
	l := bits.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12}

	// The last id of a partition is in its range, the next id is not: BETWEEN
	// neither leaves out an id nor takes one of the neighbour.
	r, err := l.PartitionRange(3)
	require.NoError(t, err)
	last, err := l.Pack(bits.Parts{Partition: 3, Time: l.MaxTime(), Node: l.MaxNode(), Sequence: l.MaxSequence()})
	require.NoError(t, err)
	next, err := l.Pack(bits.Parts{Partition: 4})
	require.NoError(t, err)
	require.Equal(t, bits.Range{First: 3 << 59, Last: last}, r)
	require.False(t, r.Contains(next))

	// One past the end of the last partition would be 2^63, its last id isn't.
	r, err = l.PartitionRange(15)
	require.NoError(t, err)
	require.Equal(t, bits.Range{First: 15 << 59, Last: math.MaxInt64}, r)

	_, err = l.PartitionRange(16)
	require.Equal(t, &bits.ValueError{Field: "partition", Value: 16, Max: 15}, err)
	require.ErrorIs(t, err, bits.ErrOutOfRange)
	_, err = l.TimeRange(0, 1<<41, 1<<41)
	require.ErrorIs(t, err, bits.ErrOutOfRange)
	_, err = l.TimeRange(0, 2, 1)
	require.ErrorIs(t, err, bits.ErrOutOfRange)
}

func TestLayout_PartitionRange_tiles(t *testing.T) {
	for _, l := range layouts {
		if l.Partition > 8 {
			continue
		}
		next := int64(0)
		for p := range l.Partitions() {
			r, err := l.PartitionRange(p)
			require.NoError(t, err)
			require.Equal(t, next, r.First, "%v, partition %d", l, p)
			require.False(t, r.Empty())
			if r.Last == l.MaxID() {
				require.Equal(t, l.MaxPartition(), p)
				break
			}
			require.Less(t, p, l.MaxPartition())
			next = r.Last + 1
		}
	}
}

func TestLayout_PartitionRange_ends(t *testing.T) {
	for _, l := range layouts {
		want := int64(math.MaxInt64)
		if l.Width() == 53 {
			want = 1<<53 - 1
		}
		r, err := l.PartitionRange(l.MaxPartition())
		require.NoError(t, err)
		require.Equal(t, want, r.Last, l)

		_, err = l.PartitionRange(l.MaxPartition() + 1)
		require.Equal(t, &bits.ValueError{Field: "partition", Value: l.MaxPartition() + 1, Max: l.MaxPartition()}, err)
		_, err = l.PartitionRange(math.MaxUint64)
		require.ErrorIs(t, err, bits.ErrOutOfRange)
	}
}

func TestLayout_PartitionRange_withoutPartitionsIsEverything(t *testing.T) {
	l := bits.Layout{Time: 41, Node: 7, Sequence: 15}
	r, err := l.PartitionRange(0)
	require.NoError(t, err)
	require.Equal(t, bits.Range{First: 0, Last: math.MaxInt64}, r)
}

// randomUpTo returns a number from 0 to limit.
func randomUpTo(random *rand.Rand, limit uint64) uint64 {
	return random.Uint64N(limit + 1)
}

func TestLayout_rangesHoldExactlyTheirIDs(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, l := range layouts {
		for range 500 {
			p := randomUpTo(random, l.MaxPartition())
			partition, err := l.PartitionRange(p)
			require.NoError(t, err)

			id := 1 + int64(random.Uint64N(uint64(l.MaxID())))
			parts, err := l.Unpack(id)
			require.NoError(t, err)
			require.Equal(t, parts.Partition == p, partition.Contains(id))

			if l.Time == 0 {
				continue
			}
			first := randomUpTo(random, l.MaxTime())
			last := first + randomUpTo(random, l.MaxTime()-first)
			r, err := l.TimeRange(p, first, last)
			require.NoError(t, err)
			require.True(t, partition.Contains(r.First) && partition.Contains(r.Last))
			require.Equal(t, parts.Partition == p && first <= parts.Time && parts.Time <= last, r.Contains(id))

			for _, edge := range []struct {
				parts bits.Parts
				want  bool
			}{
				{bits.Parts{Partition: p, Time: first, Sequence: 1}, true},
				{bits.Parts{Partition: p, Time: last, Node: l.MaxNode(), Sequence: l.MaxSequence()}, true},
				{bits.Parts{Partition: p, Time: first - 1, Node: l.MaxNode(), Sequence: l.MaxSequence()}, false},
				{bits.Parts{Partition: p, Time: last + 1}, false},
			} {
				id, err := l.Pack(edge.parts)
				if err == nil {
					require.Equal(t, edge.want, r.Contains(id), "%v %v %v", l, r, edge.parts)
				}
			}
		}
	}
}

func TestLayout_TimeRange_wholePartition(t *testing.T) {
	l := bits.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12}
	for p := range l.Partitions() {
		want, err := l.PartitionRange(p)
		require.NoError(t, err)
		got, err := l.TimeRange(p, 0, l.MaxTime())
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestLayout_TimeRange_namesEveryViolation(t *testing.T) {
	l := bits.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12}
	_, err := l.TimeRange(16, 1<<41+1, 1<<41)
	require.Equal(t, []error{
		&bits.ValueError{Field: "partition", Value: 16, Max: 15},
		&bits.ValueError{Field: "first time", Value: 1<<41 + 1, Max: 1<<41 - 1},
		&bits.ValueError{Field: "last time", Value: 1 << 41, Max: 1<<41 - 1},
		&bits.ValueError{Field: "first time", Value: 1<<41 + 1, Max: 1 << 41},
	}, flatten(err))

	_, err = l.TimeRange(0, 9, 3)
	require.EqualError(t, err, "bits: first time 9 is above the largest, 3")

	_, err = bits.Layout{Partition: 4, Sequence: 59}.TimeRange(0, 0, 0)
	require.EqualError(t, err, "bits: time has 0 bits, want 1 to 62")
	require.ErrorIs(t, err, bits.ErrLayout)
}
