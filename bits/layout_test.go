package bits_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
)

// layouts are valid ones of every kind that the tests of this package run over.
var layouts = []bits.Layout{
	{Partition: 0, Time: 41, Node: 7, Sequence: 15},
	{Partition: 4, Time: 41, Node: 6, Sequence: 12},
	{Partition: 4, Time: 0, Node: 0, Sequence: 59},
	{Partition: 0, Time: 0, Node: 0, Sequence: 63},
	{Partition: 62, Time: 0, Node: 0, Sequence: 1},
	{Partition: 0, Time: 62, Node: 0, Sequence: 1},
	{Partition: 0, Time: 0, Node: 62, Sequence: 1},
	{Partition: 1, Time: 1, Node: 1, Sequence: 60},
	{Partition: 0, Time: 41, Node: 0, Sequence: 12},
	{Partition: 3, Time: 39, Node: 3, Sequence: 8},
	{Partition: 0, Time: 0, Node: 0, Sequence: 53},
}

// flatten takes joined errors apart.
func flatten(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

func TestLayout_Validate_accepts(t *testing.T) {
	for _, l := range layouts {
		require.NoError(t, l.Validate(), l)
		if l.Time > 0 {
			require.NoError(t, l.ValidateClock(), l)
		} else {
			require.Equal(t, []error{&bits.WidthError{Field: "time", Value: 0, Min: 1, Max: 62}},
				flatten(l.ValidateClock()), l)
		}
	}
}

func TestLayout_Validate_namesEveryViolation(t *testing.T) {
	type we = bits.WidthError
	tests := []struct {
		layout bits.Layout
		want   []error
	}{
		{bits.Layout{Partition: -1, Time: 41, Node: 8, Sequence: 15}, []error{&we{"partition", -1, 0, 62}}},
		{bits.Layout{Partition: 1, Time: -1, Node: 0, Sequence: 63}, []error{&we{"time", -1, 0, 62}}},
		{bits.Layout{Partition: 0, Time: 41, Node: -2, Sequence: 24}, []error{&we{"node", -2, 0, 62}}},
		{bits.Layout{Partition: 1, Time: 62, Node: 0, Sequence: 0}, []error{&we{"sequence", 0, 1, 63}}},
		{bits.Layout{Partition: 1, Time: 63, Node: 0, Sequence: -1}, []error{&we{"time", 63, 0, 62}, &we{"sequence", -1, 1, 63}}},
		{bits.Layout{Partition: -1, Time: 0, Node: 0, Sequence: 64}, []error{&we{"partition", -1, 0, 62}, &we{"sequence", 64, 1, 63}}},
		{bits.Layout{Partition: 63, Time: 0, Node: -1, Sequence: 1}, []error{&we{"partition", 63, 0, 62}, &we{"node", -1, 0, 62}}},
		{bits.Layout{Partition: 0, Time: 0, Node: 63, Sequence: 0}, []error{&we{"node", 63, 0, 62}, &we{"sequence", 0, 1, 63}}},
		{bits.Layout{Partition: 0, Time: 41, Node: 7, Sequence: 16}, []error{&we{"sum", 64, 53, 63}}},
		{bits.Layout{Partition: 0, Time: 41, Node: 7, Sequence: 14}, []error{&we{"sum", 62, 53, 63}}},
		{bits.Layout{Partition: 0, Time: 41, Node: 1, Sequence: 12}, []error{&we{"sum", 54, 53, 63}}},
		{bits.Layout{Partition: 0, Time: 40, Node: 0, Sequence: 12}, []error{&we{"sum", 52, 53, 63}}},
		{bits.Layout{}, []error{&we{"sequence", 0, 1, 63}, &we{"sum", 0, 53, 63}}},
		{
			bits.Layout{Partition: -1, Time: -2, Node: -3, Sequence: -4},
			[]error{
				&we{"partition", -1, 0, 62},
				&we{"time", -2, 0, 62},
				&we{"node", -3, 0, 62},
				&we{"sequence", -4, 1, 63},
				&we{"sum", -10, 53, 63},
			},
		},
		{
			// Added up without care, these wrap to 63.
			bits.Layout{Partition: math.MaxInt, Time: math.MaxInt, Node: 2, Sequence: 63},
			[]error{
				&we{"partition", math.MaxInt, 0, 62},
				&we{"time", math.MaxInt, 0, 62},
				&we{"sum", math.MaxInt, 53, 63},
			},
		},
		{
			bits.Layout{Partition: math.MinInt, Time: math.MinInt, Node: 0, Sequence: 63},
			[]error{
				&we{"partition", math.MinInt, 0, 62},
				&we{"time", math.MinInt, 0, 62},
				&we{"sum", math.MinInt + 63, 53, 63},
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.layout.String(), func(t *testing.T) {
			err := tt.layout.Validate()
			require.Equal(t, tt.want, flatten(err))
			require.ErrorIs(t, err, bits.ErrLayout)
			require.Error(t, tt.layout.ValidateClock())
		})
	}
}

func TestLayout_ValidateClock_namesEveryViolation(t *testing.T) {
	err := bits.Layout{Partition: -1, Time: 0, Node: 0, Sequence: 63}.ValidateClock()
	require.EqualError(t, err, "bits: partition has -1 bits, want 0 to 62\n"+
		"bits: time has 0 bits, want 1 to 62\n"+
		"bits: widths add up to 62 bits, want exactly 63 or 53")
	require.ErrorIs(t, err, bits.ErrLayout)
	require.NotErrorIs(t, err, bits.ErrOutOfRange)
}

func TestLayout_limits(t *testing.T) {
	l := bits.Layout{Partition: 4, Time: 41, Node: 6, Sequence: 12}
	require.Equal(t, 63, l.Width())
	require.Equal(t, int64(math.MaxInt64), l.MaxID())
	require.Equal(t, uint64(15), l.MaxPartition())
	require.Equal(t, uint64(16), l.Partitions())
	require.Equal(t, uint64(2199023255551), l.MaxTime())
	require.Equal(t, uint64(63), l.MaxNode())
	require.Equal(t, uint64(64), l.Nodes())
	require.Equal(t, uint64(4095), l.MaxSequence())
	require.Equal(t, uint64(4096), l.IDsPerUnit())
	require.Equal(t, bits.Fields{Partition: true, Time: true, Node: true, Sequence: true}, l.Fields())
	require.Equal(t, "4/41/6/12", l.String())

	l = bits.Layout{Sequence: 53}
	require.Equal(t, 53, l.Width())
	require.Equal(t, int64(9007199254740991), l.MaxID())
	require.Zero(t, l.MaxPartition())
	require.Equal(t, uint64(1), l.Partitions())
	require.Zero(t, l.MaxTime())
	require.Zero(t, l.MaxNode())
	require.Equal(t, uint64(1), l.Nodes())
	require.Equal(t, bits.Fields{Sequence: true}, l.Fields())
	require.Equal(t, "0/0/0/53", l.String())
}

// invalid are layouts whose widths would panic in a shift or give nonsense.
var invalid = []bits.Layout{
	{},
	{Partition: -1, Time: 41, Node: 8, Sequence: 15},
	{Partition: 1, Time: 63, Node: 0, Sequence: -1},
	{Partition: 0, Time: 41, Node: 7, Sequence: 14},
	{Partition: math.MaxInt, Time: math.MaxInt, Node: 2, Sequence: 63},
	{Partition: math.MinInt, Time: math.MinInt, Node: math.MinInt, Sequence: math.MinInt},
}

func TestLayout_invalidIsRefusedEverywhere(t *testing.T) {
	for _, l := range invalid {
		t.Run(l.String(), func(t *testing.T) {
			want := l.Validate().Error()

			require.Zero(t, l.Width())
			require.Zero(t, l.MaxID())
			require.EqualError(t, l.CheckID(1), want)
			_, err := l.Pack(bits.Parts{Sequence: 1})
			require.EqualError(t, err, want)
			_, err = l.Unpack(1)
			require.EqualError(t, err, want)
			_, err = l.PartitionRange(0)
			require.EqualError(t, err, want)
			_, err = l.TimeRange(0, 0, 0)
			require.ErrorIs(t, err, bits.ErrLayout)

			require.NotPanics(t, func() {
				_ = l.MaxPartition()
				_ = l.MaxTime()
				_ = l.MaxNode()
				_ = l.MaxSequence()
				_ = l.Partitions()
				_ = l.Nodes()
				_ = l.IDsPerUnit()
				_ = l.Fields()
				_ = bits.Default().Timescale.End(l)
			})
		})
	}
}
