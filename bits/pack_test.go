package bits_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
)

func TestLayout_Unpack_knownID(t *testing.T) {
	// An id made by CosId.
	const id = 295913926632165376
	cosid, ok := bits.PresetByName("cosid")
	require.True(t, ok)

	parts, err := cosid.Layout.Unpack(id)
	require.NoError(t, err)
	require.Equal(t, bits.Parts{
		Time: 70551377924, Node: 5, Sequence: 0,
		Has: bits.Fields{Time: true, Node: true, Sequence: true},
	}, parts)
	require.Equal(t, "2022-03-20T05:36:17.924Z", cosid.Timescale.Time(parts.Time).Format("2006-01-02T15:04:05.000Z07:00"))

	packed, err := cosid.Layout.Pack(parts)
	require.NoError(t, err)
	require.Equal(t, int64(id), packed)
}

func TestLayout_Pack_places(t *testing.T) {
	l := bits.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12}
	tests := []struct {
		parts bits.Parts
		want  int64
	}{
		{bits.Parts{Sequence: 1}, 1},
		{bits.Parts{Node: 1}, 1 << 12},
		{bits.Parts{Time: 1}, 1 << 18},
		{bits.Parts{Partition: 1}, 1 << 59},
		{bits.Parts{Partition: 15, Time: 1<<41 - 1, Node: 63, Sequence: 4095}, math.MaxInt64},
		{bits.Parts{Sequence: 7, Has: bits.Fields{Partition: true}}, 7},
	}
	for _, tt := range tests {
		id, err := l.Pack(tt.parts)
		require.NoError(t, err)
		require.Equal(t, tt.want, id)
	}
}

func TestLayout_Pack_namesEveryViolation(t *testing.T) {
	l := bits.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12}
	_, err := l.Pack(bits.Parts{Partition: 16, Time: 1 << 41, Node: 64, Sequence: math.MaxUint64})
	require.Equal(t, []error{
		&bits.ValueError{Field: "partition", Value: 16, Max: 15},
		&bits.ValueError{Field: "time", Value: 1 << 41, Max: 1<<41 - 1},
		&bits.ValueError{Field: "node", Value: 64, Max: 63},
		&bits.ValueError{Field: "sequence", Value: math.MaxUint64, Max: 4095},
	}, flatten(err))
	require.ErrorIs(t, err, bits.ErrOutOfRange)
	require.NotErrorIs(t, err, bits.ErrLayout)

	_, err = bits.Layout{Sequence: 63}.Pack(bits.Parts{Partition: 1, Time: 1, Node: 1, Sequence: 1})
	require.EqualError(t, err, "bits: partition 1 is above the largest, 0\n"+
		"bits: time 1 is above the largest, 0\n"+
		"bits: node 1 is above the largest, 0")
}

func TestLayout_Pack_checksEachField(t *testing.T) {
	for _, l := range layouts {
		for _, tt := range []struct {
			parts bits.Parts
			want  bits.ValueError
		}{
			{bits.Parts{Partition: l.MaxPartition() + 1}, bits.ValueError{Field: "partition", Max: l.MaxPartition()}},
			{bits.Parts{Time: l.MaxTime() + 1}, bits.ValueError{Field: "time", Max: l.MaxTime()}},
			{bits.Parts{Node: l.MaxNode() + 1}, bits.ValueError{Field: "node", Max: l.MaxNode()}},
			{bits.Parts{Sequence: l.MaxSequence() + 1}, bits.ValueError{Field: "sequence", Max: l.MaxSequence()}},
		} {
			tt.want.Value = tt.want.Max + 1
			_, err := l.Pack(tt.parts)
			require.Equal(t, []error{&tt.want}, flatten(err), l)
		}
	}
}

func TestLayout_Pack_refusesZero(t *testing.T) {
	for _, l := range layouts {
		_, err := l.Pack(bits.Parts{})
		require.Equal(t, &bits.IDError{ID: 0, Max: l.MaxID()}, err)
		require.ErrorIs(t, err, bits.ErrOutOfRange)
	}
}

func TestLayout_CheckID(t *testing.T) {
	for _, l := range layouts {
		require.NoError(t, l.CheckID(1))
		require.NoError(t, l.CheckID(l.MaxID()))

		bad := []int64{0, -1, math.MinInt64}
		if l.MaxID() < math.MaxInt64 {
			bad = append(bad, l.MaxID()+1, math.MaxInt64)
		}
		for _, id := range bad {
			want := &bits.IDError{ID: id, Max: l.MaxID()}
			require.Equal(t, want, l.CheckID(id))
			parts, err := l.Unpack(id)
			require.Equal(t, want, err)
			require.Zero(t, parts)
			require.ErrorIs(t, err, bits.ErrOutOfRange)
		}
	}
	require.EqualError(t, bits.Layout{Sequence: 53}.CheckID(1<<53), "bits: 9007199254740992 is no id, want 1 to 9007199254740991")
}

func TestLayout_packAndUnpackDoNotAllocate(t *testing.T) {
	l := bits.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		parts, _ := l.Unpack(math.MaxInt64)
		_, _ = l.Pack(parts)
		_, _ = l.TimeRange(1, 2, 3)
	}))
}

// bigPack is Pack by multiplication and addition of numbers without a limit.
func bigPack(l bits.Layout, p bits.Parts) *big.Int {
	id := new(big.Int)
	for _, field := range []struct {
		width int
		value uint64
	}{{l.Partition, p.Partition}, {l.Time, p.Time}, {l.Node, p.Node}, {l.Sequence, p.Sequence}} {
		id.Mul(id, new(big.Int).Exp(big.NewInt(2), big.NewInt(int64(field.width)), nil))
		id.Add(id, new(big.Int).SetUint64(field.value))
	}
	return id
}

func FuzzPackUnpack(f *testing.F) {
	f.Add(uint8(0), uint8(41), uint8(7), false, uint64(0), uint64(1), uint64(2), uint64(3))
	f.Add(uint8(4), uint8(41), uint8(6), false, uint64(15), uint64(1)<<41-1, uint64(63), uint64(4095))
	f.Add(uint8(4), uint8(41), uint8(6), false, uint64(16), uint64(1)<<41, uint64(64), uint64(4096))
	f.Add(uint8(0), uint8(41), uint8(0), true, uint64(0), uint64(0), uint64(0), uint64(0))
	f.Add(uint8(62), uint8(0), uint8(0), false, uint64(math.MaxUint64), uint64(0), uint64(0), uint64(1))
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		f.Add(uint8(random.IntN(8)), uint8(random.IntN(44)), uint8(random.IntN(11)), random.IntN(2) == 0,
			random.Uint64()>>57, random.Uint64()>>20, random.Uint64()>>54, random.Uint64()>>50)
	}
	f.Fuzz(func(t *testing.T, partitionBits, timeBits, nodeBits uint8, narrow bool, partition, time, node, sequence uint64) {
		width := 63
		if narrow {
			width = 53
		}
		l := bits.Layout{Partition: int(partitionBits), Time: int(timeBits), Node: int(nodeBits)}
		l.Sequence = width - l.Partition - l.Time - l.Node
		if l.Sequence < 1 {
			require.ErrorIs(t, l.Validate(), bits.ErrLayout)
			return
		}
		require.NoError(t, l.Validate())

		parts := bits.Parts{Partition: partition, Time: time, Node: node, Sequence: sequence}
		fits := true
		for _, field := range []struct {
			width int
			value uint64
		}{{l.Partition, partition}, {l.Time, time}, {l.Node, node}, {l.Sequence, sequence}} {
			fits = fits && new(big.Int).SetUint64(field.value).BitLen() <= field.width
		}
		want := bigPack(l, parts)
		id, err := l.Pack(parts)
		if !fits || want.Sign() == 0 {
			require.ErrorIs(t, err, bits.ErrOutOfRange)
			require.Zero(t, id)
			return
		}
		require.NoError(t, err)
		require.Equal(t, want.String(), big.NewInt(id).String())
		require.LessOrEqual(t, want.BitLen(), width)

		parts.Has = bits.Fields{Partition: l.Partition > 0, Time: l.Time > 0, Node: l.Node > 0, Sequence: true}
		got, err := l.Unpack(id)
		require.NoError(t, err)
		require.Equal(t, parts, got)

		r, err := l.PartitionRange(partition)
		require.NoError(t, err)
		require.True(t, r.Contains(id), "%v outside %v", id, r)
	})
}

func BenchmarkPack(b *testing.B) {
	l := bits.Default().Layout
	for n := uint64(1); b.Loop(); n++ {
		_, _ = l.Pack(bits.Parts{Time: n, Node: 5})
	}
}

func BenchmarkUnpack(b *testing.B) {
	l := bits.Default().Layout
	for n := int64(1); b.Loop(); n++ {
		_, _ = l.Unpack(n)
	}
}
