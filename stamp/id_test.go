package stamp_test

import (
	"encoding"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/stamp"
)

var (
	_ encoding.TextMarshaler   = stamp.ID(0)
	_ encoding.TextAppender    = stamp.ID(0)
	_ encoding.TextUnmarshaler = (*stamp.ID)(nil)
)

func TestIDString(t *testing.T) {
	for id, want := range map[stamp.ID]string{
		1:             "1",
		math.MaxInt64: "9223372036854775807",
		0:             "invalid ID(0)",
		-5:            "invalid ID(-5)",
		math.MinInt64: "invalid ID(-9223372036854775808)",
	} {
		require.Equal(t, want, id.String())
		require.Equal(t, want, fmt.Sprint(id))
		require.Equal(t, id > 0, id.Valid())
	}
}

func TestIDText(t *testing.T) {
	for _, id := range []stamp.ID{1, 9, 10, 1<<53 + 1, math.MaxInt64} {
		text, err := id.MarshalText()
		require.NoError(t, err)
		require.Equal(t, id.String(), string(text))
		appended, err := id.AppendText([]byte("id="))
		require.NoError(t, err)
		require.Equal(t, "id="+id.String(), string(appended))

		var back, bound stamp.ID
		require.NoError(t, back.UnmarshalText(text))
		require.Equal(t, id, back)
		require.NoError(t, bound.UnmarshalParam(string(text)))
		require.Equal(t, id, bound)
		parsed, err := stamp.ParseID(string(text))
		require.NoError(t, err)
		require.Equal(t, id, parsed)
	}
	for _, id := range []stamp.ID{0, -1, math.MinInt64} {
		_, err := id.MarshalText()
		require.ErrorIs(t, err, stamp.ErrRange)
		kept, err := id.AppendText([]byte("kept"))
		require.ErrorIs(t, err, stamp.ErrRange)
		require.Equal(t, "kept", string(kept))
	}
}

func TestIDRefusesTexts(t *testing.T) {
	for text, want := range map[string]error{
		"":                     stamp.ErrSyntax,
		"-1":                   stamp.ErrSyntax,
		"+1":                   stamp.ErrSyntax,
		"01":                   stamp.ErrSyntax,
		"1 ":                   stamp.ErrSyntax,
		"1e3":                  stamp.ErrSyntax,
		"1.0":                  stamp.ErrSyntax,
		"invalid ID(5)":        stamp.ErrSyntax,
		"0":                    stamp.ErrRange,
		"9223372036854775808":  stamp.ErrRange,
		"18446744073709551617": stamp.ErrRange,
		"99999999999999999999999999999999999999999": stamp.ErrRange,
	} {
		id := stamp.ID(7)
		require.ErrorIs(t, id.UnmarshalText([]byte(text)), want, "%q", text)
		require.Zero(t, id, "nothing stays of what was there")
		id = 7
		require.ErrorIs(t, id.UnmarshalParam(text), want, "%q", text)
		require.Zero(t, id)
		_, err := stamp.ParseID(text)
		require.ErrorIs(t, err, want, "%q", text)
	}
}
