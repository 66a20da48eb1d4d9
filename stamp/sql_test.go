package stamp_test

import (
	"database/sql"
	"database/sql/driver"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/stamp"
)

var (
	_ sql.Scanner   = (*stamp.ID)(nil)
	_ driver.Valuer = stamp.ID(0)
)

func TestIDScan(t *testing.T) {
	for _, row := range []struct {
		value any
		want  stamp.ID
		err   error
	}{
		{int64(5), 5, nil},
		{int64(math.MaxInt64), math.MaxInt64, nil},
		{uint64(5), 5, nil},
		{uint64(math.MaxInt64), math.MaxInt64, nil},
		{"5", 5, nil},
		{[]byte("5"), 5, nil},

		{int64(0), 0, stamp.ErrOutOfRange},
		{int64(-1), 0, stamp.ErrOutOfRange},
		{uint64(0), 0, stamp.ErrOutOfRange},
		{uint64(1 << 63), 0, stamp.ErrOutOfRange},
		{uint64(1 << 63), 0, stamp.ErrRange},
		{"0", 0, stamp.ErrRange},
		{"9223372036854775808", 0, stamp.ErrRange},
		{"", 0, stamp.ErrSyntax},
		{"05", 0, stamp.ErrSyntax},
		{[]byte("-5"), 0, stamp.ErrSyntax},
		{[]byte(nil), 0, stamp.ErrSyntax},
		{nil, 0, stamp.ErrScan},
		{5, 0, stamp.ErrScan},
		{5.0, 0, stamp.ErrScan},
		{true, 0, stamp.ErrScan},
		{time.Now(), 0, stamp.ErrScan},
		{stamp.ID(5), 0, stamp.ErrScan},
	} {
		id := stamp.ID(7) // of the row before
		require.ErrorIs(t, id.Scan(row.value), row.err, "%T %v", row.value, row.value)
		require.Equal(t, row.want, id, "%T %v", row.value, row.value)
	}
	require.ErrorContains(t, new(stamp.ID).Scan(nil), "NULL")
	require.ErrorContains(t, new(stamp.ID).Scan(5.0), "float64")
	require.ErrorContains(t, new(stamp.ID).Scan(uint64(math.MaxUint64)), "18446744073709551615")
}

func TestIDValue(t *testing.T) {
	value, err := stamp.ID(5).Value()
	require.NoError(t, err)
	require.Equal(t, int64(5), value)
	for _, id := range []stamp.ID{0, -1} {
		value, err := id.Value()
		require.ErrorIs(t, err, stamp.ErrOutOfRange)
		require.Nil(t, value)
	}
}

func TestNullableID(t *testing.T) {
	null := sql.Null[stamp.ID]{V: 7, Valid: true}
	require.NoError(t, null.Scan(nil))
	require.Equal(t, sql.Null[stamp.ID]{}, null)
	value, err := null.Value()
	require.NoError(t, err)
	require.Nil(t, value)

	for _, v := range []any{int64(5), uint64(5), "5", []byte("5")} {
		require.NoError(t, null.Scan(v))
		require.Equal(t, sql.Null[stamp.ID]{V: 5, Valid: true}, null)
	}
	value, err = driver.DefaultParameterConverter.ConvertValue(null)
	require.NoError(t, err)
	require.Equal(t, int64(5), value)
	require.ErrorIs(t, null.Scan(int64(-5)), stamp.ErrOutOfRange)
	require.Zero(t, null.V)

	id := stamp.ID(5)
	for _, row := range []struct {
		pointer *stamp.ID
		want    any
	}{{&id, int64(5)}, {nil, nil}} {
		value, err := driver.DefaultParameterConverter.ConvertValue(row.pointer)
		require.NoError(t, err)
		require.Equal(t, row.want, value)
	}
}
