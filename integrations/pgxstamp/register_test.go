package pgxstamp_test

import (
	"encoding/binary"
	"testing"

	"github.com/jackc/pgx/v5/pgtype"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/integrations/pgxstamp"
	"github.com/stampid/go-stamp/stamp"
)

// In both formats, and with types registered one after the other.
func TestFormats(t *testing.T) {
	m := pgtype.NewMap()
	pgxstamp.Register(m)
	pgxstamp.Register(m, pgxstamp.TypeOf[orderKind]())
	pgxstamp.Register(m, pgxstamp.TypeOf[orderKind]())
	pgxstamp.Register(m, pgxstamp.TypeOf[narrowKind]())
	for format, want := range map[int16][]byte{
		pgtype.TextFormatCode:   []byte("47059303273693184"),
		pgtype.BinaryFormatCode: binary.BigEndian.AppendUint64(nil, 47059303273693184),
	} {
		for _, value := range []any{
			stamp.ID(47059303273693184), orderID(47059303273693184), stamp.NullOf(orderID(47059303273693184)), int64(47059303273693184),
		} {
			got, err := m.Encode(pgtype.Int8OID, format, value, []byte{})
			require.NoError(t, err)
			require.Equal(t, want, got, "%T", value)
		}
		var plain stamp.ID
		require.NoError(t, m.Scan(pgtype.Int8OID, format, want, &plain))
		require.EqualValues(t, 47059303273693184, plain)
		var null stamp.NullTyped[orderKind]
		require.NoError(t, m.Scan(pgtype.Int8OID, format, want, &null))
		require.Equal(t, stamp.NullOf(orderID(47059303273693184)), null)
	}
	missing, err := m.Encode(pgtype.Int8OID, pgtype.BinaryFormatCode, nullable{}, []byte{})
	require.NoError(t, err)
	require.Nil(t, missing)

	// jsonb in binary has its version before the text.
	doc, err := m.Encode(pgtype.JSONBOID, pgtype.BinaryFormatCode, orderID(47059303273693184), nil)
	require.NoError(t, err)
	require.Equal(t, "\x01\"ord_03TWzQIO6AS\"", string(doc))
	var id orderID
	require.NoError(t, m.Scan(pgtype.JSONBOID, pgtype.BinaryFormatCode, doc, &id))
	require.EqualValues(t, 47059303273693184, id)
}

func TestMalformed(t *testing.T) {
	m := pgtype.NewMap()
	pgxstamp.Register(m, pgxstamp.TypeOf[orderKind]())
	for format, texts := range map[int16][]string{
		pgtype.TextFormatCode:   {"", "x", "1.0", "9223372036854775808", "ord_03TWzQIO6AS"},
		pgtype.BinaryFormatCode: {"", "1", "123456789"},
	} {
		for _, text := range texts {
			plain, id, null := stamp.ID(7), orderID(7), stamp.NullOf(orderID(7))
			require.Error(t, m.Scan(pgtype.Int8OID, format, []byte(text), &plain), text)
			require.Error(t, m.Scan(pgtype.Int8OID, format, []byte(text), &id), text)
			require.Error(t, m.Scan(pgtype.Int8OID, format, []byte(text), &null), text)
			require.Zero(t, plain)
			require.Zero(t, id)
			require.Zero(t, null)
		}
	}
}

// A text column isn't written a number to, nor the other way round.
func TestTextColumnIsRefused(t *testing.T) {
	m := pgtype.NewMap()
	pgxstamp.Register(m, pgxstamp.TypeOf[orderKind]())
	for _, format := range []int16{pgtype.TextFormatCode, pgtype.BinaryFormatCode} {
		_, err := m.Encode(pgtype.TextOID, format, orderID(5), nil)
		require.Error(t, err)
	}
	_, isText := any(orderID(5)).(pgtype.TextValuer)
	require.False(t, isText)
}

func TestCallsDoNotAllocate(t *testing.T) {
	m := pgtype.NewMap()
	pgxstamp.Register(m, pgxstamp.TypeOf[orderKind]())
	var value any = orderID(47059303273693184)
	write := m.PlanEncode(pgtype.Int8OID, pgtype.BinaryFormatCode, value)
	buf := make([]byte, 0, 8)
	require.Zero(t, testing.AllocsPerRun(1000, func() { _, _ = write.Encode(value, buf) }))
	src, err := write.Encode(value, nil)
	require.NoError(t, err)
	id := new(orderID)
	read := m.PlanScan(pgtype.Int8OID, pgtype.BinaryFormatCode, id)
	require.Zero(t, testing.AllocsPerRun(1000, func() { err = read.Scan(src, id) }))
	require.NoError(t, err)
	require.Equal(t, value, *id)
}
