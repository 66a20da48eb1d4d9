package encode

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTextBothWays(t *testing.T) {
	for _, tt := range []struct {
		codec  Codec
		prefix string
		bits   int
		n      uint64
		want   string
		width  int
		maxLen int
	}{
		{Base62, "ord_", 63, 295913926632165376, "ord_0LrHucXALbs", 15, 15},
		{Base62, "", 63, 1, "00000000001", 11, 11},
		{Base62, "ord_", 53, 1, "ord_000000001", 13, 13},
		{Base58, "usr_", 63, 295913926632165376, "usr_1gqgx57rC8P", 15, 15},
		{Base32, "k_", 63, 32, "k_0000000000010", 15, 15},
		{Decimal, "inv_", 63, 1, "inv_1", 0, 23},
		{nil, "", 63, 295913926632165376, "295913926632165376", 0, 19},
		{nil, "", 53, 9007199254740991, "9007199254740991", 0, 16},
		{DecimalPadded, "", 63, 5, "0000000000000000005", 19, 19},
		{Base62Compact, "ord_", 63, 295913926632165376, "ord_LrHucXALbs", 0, 15},
	} {
		text, err := NewText(tt.codec, tt.prefix, tt.bits)
		require.NoError(t, err)
		require.Equal(t, tt.prefix, text.Prefix())
		require.Equal(t, tt.width, text.Width())
		require.Equal(t, tt.maxLen, text.MaxLen())

		got, err := text.Encode(tt.n)
		require.NoError(t, err)
		require.Equal(t, tt.want, got)
		appended, err := text.Append([]byte("id="), tt.n)
		require.NoError(t, err)
		require.Equal(t, "id="+tt.want, string(appended))

		n, err := text.Decode(tt.want)
		require.NoError(t, err)
		require.Equal(t, tt.n, n)
		n, err = text.DecodeBytes([]byte(tt.want))
		require.NoError(t, err)
		require.Equal(t, tt.n, n)
	}
}

func TestTextsCompare(t *testing.T) {
	for _, codec := range standards() {
		text, err := NewText(codec, "ord_", 63)
		require.NoError(t, err)
		same, err := NewText(codec, "ord_", 63)
		require.NoError(t, err)
		require.True(t, text == same)
		otherPrefix, err := NewText(codec, "usr_", 63)
		require.NoError(t, err)
		require.False(t, text == otherPrefix)
		otherBits, err := NewText(codec, "ord_", 62)
		require.NoError(t, err)
		require.False(t, text == otherBits)
	}
}

func TestTextErrors(t *testing.T) {
	for _, codec := range []Codec{Base62, Base58, Decimal, Base62Compact} {
		text, err := NewText(codec, "ord_", 63)
		require.NoError(t, err)
		valid, err := text.Encode(7)
		require.NoError(t, err)

		for _, tt := range []struct {
			text  string
			class error
			pos   int
		}{
			{"", ErrPrefix, -1},
			{"ord", ErrPrefix, -1},
			{"usr_" + valid[4:], ErrPrefix, -1},
			{"Ord_" + valid[4:], ErrPrefix, -1},
			{" " + valid, ErrPrefix, -1},
			{valid[4:], ErrPrefix, -1},
			{"ord__" + valid[5:], ErrSyntax, 4},
			{"ord_-" + valid[5:], ErrSyntax, 4},
			{valid[:len(valid)-1] + "!", ErrSyntax, len(valid) - 1},
			{"ord_" + strings.Repeat("9", 11) + "é", ErrSyntax, 15},
		} {
			n, err := text.Decode(tt.text)
			require.Zero(t, n)
			var typed *Error
			require.ErrorAs(t, err, &typed, "%v of %q", codec, tt.text)
			require.Equal(t, tt.class, typed.Class, "%v of %q", codec, tt.text)
			require.Equal(t, tt.pos, typed.Pos, "%v of %q", codec, tt.text)
			require.Equal(t, tt.text, typed.Text)
			require.Equal(t, codec.Name(), typed.Codec)

			n, errBytes := text.DecodeBytes([]byte(tt.text))
			require.Zero(t, n)
			require.Equal(t, err, errBytes)
		}

		_, err = text.Decode("ord_" + textOf(t, coderOf(t, codec, 63), 1<<63-1))
		require.NoError(t, err)
		for _, n := range []uint64{0, 1 << 63, 1<<64 - 1} {
			got, err := text.Encode(n)
			require.ErrorIs(t, err, ErrRange)
			require.Empty(t, got)
			dst, err := text.Append([]byte("keep"), n)
			require.ErrorIs(t, err, ErrRange)
			require.Equal(t, "keep", string(dst))
		}
	}
	text, err := NewText(Base62, "ord_", 63)
	require.NoError(t, err)
	_, err = text.Decode("ord_zzzzzzzzzzz")
	require.ErrorIs(t, err, ErrRange)
	require.EqualError(t, err, `encode: base62 text "ord_zzzzzzzzzzz" is outside 1 to 9223372036854775807`)
}

func TestZeroText(t *testing.T) {
	var text Text
	for _, n := range []uint64{0, 1, 1<<64 - 1} {
		_, err := text.Encode(n)
		require.ErrorIs(t, err, ErrCodec)
		dst, err := text.Append([]byte("keep"), n)
		require.ErrorIs(t, err, ErrCodec)
		require.Equal(t, "keep", string(dst))
	}
	_, err := text.Decode("1")
	require.ErrorIs(t, err, ErrCodec)
	_, err = text.DecodeBytes(nil)
	require.ErrorIs(t, err, ErrCodec)
	require.Zero(t, text.Width())
	require.Zero(t, text.MaxLen())
	require.Empty(t, text.Prefix())
}

func TestNewTextReportsEveryViolation(t *testing.T) {
	_, err := NewText(nil, "usr_", 63)
	require.ErrorIs(t, err, ErrCodec)
	require.NotErrorIs(t, err, ErrPrefix)

	_, err = NewText(nil, "Usr", 0)
	require.ErrorIs(t, err, ErrCodec)
	require.ErrorIs(t, err, ErrPrefix)
	require.ErrorIs(t, err, ErrBits)

	_, err = NewText(Standard(0), "Usr", 64)
	require.ErrorIs(t, err, ErrCodec)
	require.ErrorIs(t, err, ErrPrefix)
	require.ErrorIs(t, err, ErrBits)

	for _, bits := range []int{-1, 0, 64} {
		_, err = NewText(Base62, "", bits)
		require.ErrorIs(t, err, ErrBits)
	}
}

// foreignCodec is a codec made elsewhere, which keeps no promise.
type foreignCodec struct {
	coder Coder
	err   error
}

func (c foreignCodec) Name() string             { return "foreign" }
func (c foreignCodec) Coder(int) (Coder, error) { return c.coder, c.err }

type foreignCoder struct {
	n      uint64
	err    error
	maxLen int
}

func (c foreignCoder) Append(dst []byte, _ uint64) ([]byte, error) {
	return append(dst, "text"...), c.err
}
func (c foreignCoder) Parse([]byte) (uint64, error)       { return c.n, c.err }
func (c foreignCoder) ParseString(string) (uint64, error) { return c.n, c.err }
func (c foreignCoder) Width() int                         { return 0 }
func (c foreignCoder) MaxLen() int                        { return c.maxLen }
func (c foreignCoder) Sorts() bool                        { return false }

func TestTextWithForeignCodec(t *testing.T) {
	failure := errors.New("broken")
	for _, codec := range []foreignCodec{
		{}, {coder: foreignCoder{maxLen: 0}}, {coder: foreignCoder{maxLen: -1}}, {coder: foreignCoder{maxLen: math.MaxInt}},
	} {
		_, err := NewText(codec, "", 63)
		require.ErrorIs(t, err, ErrCodec)
	}
	_, err := NewText(foreignCodec{err: failure}, "", 63)
	require.ErrorIs(t, err, failure)

	for _, bits := range []int{0, 64} {
		_, err = NewText(foreignCodec{coder: foreignCoder{maxLen: 4}}, "", bits)
		require.ErrorIs(t, err, ErrBits)
	}

	for _, n := range []uint64{0, 1 << 53, 1<<64 - 1} {
		text, err := NewText(foreignCodec{coder: foreignCoder{n: n, maxLen: 4}}, "f_", 53)
		require.NoError(t, err)
		got, err := text.Decode("f_text")
		require.ErrorIs(t, err, ErrRange, "no number outside the bounds, whoever reads it")
		require.Zero(t, got)
		_, err = text.DecodeBytes([]byte("f_text"))
		require.ErrorIs(t, err, ErrRange)
	}

	text, err := NewText(foreignCodec{coder: foreignCoder{n: 1, err: failure, maxLen: 4}}, "f_", 53)
	require.NoError(t, err)
	got, err := text.Decode("f_text")
	require.ErrorIs(t, err, failure)
	require.Zero(t, got)
	dst, err := text.Append([]byte("keep"), 1)
	require.ErrorIs(t, err, failure)
	require.Equal(t, "keep", string(dst))
}

func TestNilCodecPointerIsRefused(t *testing.T) {
	_, err := NewText((*nilCodec)(nil), "", 63)
	require.ErrorIs(t, err, ErrCodec)
	require.ErrorContains(t, err, "a nil *encode.nilCodec")
}

// nilCodec can't be asked anything when it is nil.
type nilCodec struct{ name string }

func (c *nilCodec) Name() string                  { return c.name }
func (c *nilCodec) Coder(bits int) (Coder, error) { return Base62.Coder(bits + len(c.name)) }
