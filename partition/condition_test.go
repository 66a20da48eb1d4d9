package partition_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/partition"
)

func TestBetween(t *testing.T) {
	r := bits.Range{First: 5, Last: math.MaxInt64}
	tests := []struct {
		dialect   partition.Dialect
		column    string
		parameter int
		want      string
	}{
		{partition.PostgreSQL, "id", 1, `"id" BETWEEN $1 AND $2`},
		{partition.PostgreSQL, `a"b`, 65534, `"a""b" BETWEEN $65534 AND $65535`},
		{partition.MySQL, "id", 1, "`id` BETWEEN ? AND ?"},
		{partition.MySQL, "a`b", 9, "`a``b` BETWEEN ? AND ?"},
	}
	for _, tt := range tests {
		got, err := partition.Between(tt.dialect, tt.column, r, tt.parameter)
		require.NoError(t, err)
		require.Equal(t, partition.Condition{SQL: tt.want, First: 5, Last: math.MaxInt64}, got)
		require.Equal(t, []any{int64(5), int64(math.MaxInt64)}, got.Args())
	}
}

func TestBetween_refused(t *testing.T) {
	for _, parameter := range []int{0, -1, 65535, math.MaxInt, math.MinInt} {
		got, err := partition.Between(partition.MySQL, "id", bits.Range{}, parameter)
		require.Zero(t, got)
		require.ErrorIs(t, err, partition.ErrTable)
		require.ErrorContains(t, err, "is no number of a parameter, want 1 to 65534")
	}
	_, err := partition.Between(7, "\x00", bits.Range{}, 0)
	require.EqualError(t, err, `partition: dialect "Dialect(7)" is none, want PostgreSQL or MySQL`+
		"\n"+`partition: column "\x00" has a NUL`+
		"\n"+`partition: parameter "0" is no number of a parameter, want 1 to 65534`)
}
