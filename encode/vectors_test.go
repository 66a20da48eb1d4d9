package encode

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVectorsRadix(t *testing.T) {
	columns := []Standard{Base62, Base58, Base32, Base36, Base62Compact}
	for _, row := range rows(t, "radix.tsv", 1+len(columns)) {
		n, err := strconv.ParseUint(row[0], 10, 64)
		require.NoError(t, err)
		for i, codec := range columns {
			c, text := coderOf(t, codec, 63), row[1+i]

			require.Equal(t, text, digitsOf(t, c, n), "%v of %d", codec, n)
			value, err := valueOf(t, c, text)
			require.NoError(t, err)
			require.Equal(t, n, value, "%v of %q", codec, text)

			if n == 0 {
				_, err = c.Append(nil, n)
				require.ErrorIs(t, err, ErrRange)
				_, err = parseBoth(t, c, text)
				require.ErrorIs(t, err, ErrRange, "%v of %q", codec, text)
				continue
			}
			require.Equal(t, text, textOf(t, c, n), "%v of %d", codec, n)
			parsed, err := parseBoth(t, c, text)
			require.NoError(t, err)
			require.Equal(t, n, parsed, "%v of %q", codec, text)
		}
	}
}

func TestVectorsInvalid(t *testing.T) {
	codecs := map[string]Standard{}
	for _, codec := range standards() {
		codecs[codec.Name()] = codec
	}
	classes := map[string]error{"syntax": ErrSyntax, "range": ErrRange}
	for _, row := range rows(t, "invalid.tsv", 3) {
		require.Contains(t, codecs, row[0])
		require.Contains(t, classes, row[2])
		c := coderOf(t, codecs[row[0]], 63)

		_, err := parseBoth(t, c, row[1])
		var typed *Error
		require.ErrorAs(t, err, &typed, "%q", row)
		require.Equal(t, classes[row[2]], typed.Class, "%q", row)
		require.Equal(t, row[0], typed.Codec)
		require.Equal(t, row[1], typed.Text)
		if typed.Class == ErrRange {
			require.Equal(t, -1, typed.Pos)
			require.Equal(t, uint64(1)<<63-1, typed.Bound)
		}
	}
}

// The compact forms have their own invalid texts; those with a wrong length in
// a fixed form are numbers here, or padded ones.
func TestInvalidCompact(t *testing.T) {
	for _, tt := range []struct {
		codec Standard
		text  string
		class error
		pos   int
	}{
		{Base62Compact, "", ErrSyntax, 0},
		{Base62Compact, "0", ErrRange, -1},
		{Base62Compact, "00", ErrSyntax, 0},
		{Base62Compact, "01", ErrSyntax, 0},
		{Base62Compact, "0-", ErrSyntax, 1},
		{Base62Compact, "1 ", ErrSyntax, 1},
		{Base62Compact, "AzL8n0Y58m8", ErrRange, -1},
		{Base62Compact, "LygHa16AHYG", ErrRange, -1}, // 2^64: a wrapping reader takes it for 0
		{Base62Compact, "LygHa16AHYH", ErrRange, -1}, // 2^64+1: for 1
		{Base62Compact, "zzzzzzzzzzz", ErrRange, -1},
		{Base62Compact, "100000000000", ErrRange, -1},
		{Base62Compact, "10000000000é", ErrSyntax, 11},
		{Base58Compact, "", ErrSyntax, 0},
		{Base58Compact, "1", ErrRange, -1},
		{Base58Compact, "11", ErrSyntax, 0},
		{Base58Compact, "12", ErrSyntax, 0},
		{Base58Compact, "20", ErrSyntax, 1},
		{Base58Compact, "NQm6nKp8qFD", ErrRange, -1},
		{Base58Compact, "jpXCZedGfVR", ErrRange, -1}, // 2^64
		{Base58Compact, "zzzzzzzzzzz", ErrRange, -1},
		{Base58Compact, "2111111111111", ErrRange, -1},
		{Decimal, "0", ErrRange, -1},
		{Decimal, "00", ErrSyntax, 0},
		{Decimal, "01", ErrSyntax, 0},
		{Decimal, "9999999999999999999", ErrRange, -1},
		{Decimal, "18446744073709551616", ErrRange, -1}, // 2^64
		{Decimal, "18446744073709551617", ErrRange, -1},
		{Decimal, "100000000000000000000000000000000000000000", ErrRange, -1},
		{Decimal, "10000000000000000000000000000000000000000x", ErrSyntax, 41},
		{Decimal, "010000000000000000000000000000000000000000", ErrSyntax, 0},
		{DecimalPadded, "5", ErrSyntax, 1},
		{DecimalPadded, "0000000000000000000", ErrRange, -1},
		{DecimalPadded, "00000000000000000001", ErrSyntax, 19},
		{DecimalPadded, "9223372036854775808", ErrRange, -1},
		{Base36Lower, "000000000000Z", ErrSyntax, 12},
		{Base36Lower, "1y2p0ij32e8e8", ErrRange, -1},
	} {
		_, err := parseBoth(t, coderOf(t, tt.codec, 63), tt.text)
		var typed *Error
		require.ErrorAs(t, err, &typed, "%v of %q", tt.codec, tt.text)
		require.Equal(t, tt.class, typed.Class, "%v of %q", tt.codec, tt.text)
		require.Equal(t, tt.pos, typed.Pos, "%v of %q", tt.codec, tt.text)
	}
}
