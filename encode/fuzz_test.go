package encode

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// fuzzCodec checks malleability: whatever text parses is the text that its
// number is written as, and the number is within the bounds. It also writes
// the number that the text's bytes make, so that both directions are tried.
func fuzzCodec(f *testing.F, codec Codec) {
	for _, bits := range []int{1, 53, 63} {
		c := coderOf(f, codec, bits)
		for _, n := range []uint64{1, 1<<bits - 1} {
			f.Add(textOf(f, c, n), n, uint8(bits))
		}
	}
	for _, text := range []string{"", "0", "-5", "+5", "0005", "zzzzzzzzzzz", "LygHa16AHYG", "jpXCZedGfVR", "ZZZZZZZZZZZZZ", "0000000000é"} {
		f.Add(text, uint64(1)<<63, uint8(63))
	}
	coders := make([]Coder, 63)
	for i := range coders {
		coders[i] = coderOf(f, codec, i+1)
	}
	f.Fuzz(func(t *testing.T, text string, n uint64, width uint8) {
		i := int(width) % len(coders)
		c, largest := coders[i], uint64(1)<<(i+1)-1
		if got, err := parseBoth(t, c, text); err == nil {
			require.True(t, got >= 1 && got <= largest, "%q read as %d", text, got)
		}
		written, err := c.Append(nil, n)
		if n < 1 || n > largest {
			require.ErrorIs(t, err, ErrRange)
			return
		}
		require.NoError(t, err)
		got, err := parseBoth(t, c, string(written))
		require.NoError(t, err)
		require.Equal(t, n, got)
	})
}

func FuzzBase62(f *testing.F)        { fuzzCodec(f, Base62) }
func FuzzBase58(f *testing.F)        { fuzzCodec(f, Base58) }
func FuzzBase36(f *testing.F)        { fuzzCodec(f, Base36) }
func FuzzBase36Lower(f *testing.F)   { fuzzCodec(f, Base36Lower) }
func FuzzBase32(f *testing.F)        { fuzzCodec(f, Base32) }
func FuzzHex(f *testing.F)           { fuzzCodec(f, Hex) }
func FuzzDecimal(f *testing.F)       { fuzzCodec(f, Decimal) }
func FuzzDecimalPadded(f *testing.F) { fuzzCodec(f, DecimalPadded) }
func FuzzBase62Compact(f *testing.F) { fuzzCodec(f, Base62Compact) }
func FuzzBase58Compact(f *testing.F) { fuzzCodec(f, Base58Compact) }
func FuzzSqids(f *testing.F)         { fuzzCodec(f, sqidsOf(f, SqidsOptions{MinLength: 8})) }

// FuzzText does the same for the whole text, prefix included, and feeds the
// prefix rule.
func FuzzText(f *testing.F) {
	for _, codec := range standards() {
		text, err := NewText(codec, "ord_", 63)
		require.NoError(f, err)
		valid, err := text.Encode(295913926632165376)
		require.NoError(f, err)
		f.Add(uint8(codec), "ord_", uint8(63), valid, uint64(1))
	}
	f.Add(uint8(0), "", uint8(0), "", uint64(0))
	f.Add(uint8(Base62), "a", uint8(53), "a1", uint64(1)<<63)
	f.Fuzz(func(t *testing.T, codec uint8, prefix string, bits uint8, given string, n uint64) {
		text, err := NewText(Standard(codec), prefix, int(bits))
		if err != nil {
			require.Zero(t, text)
			return
		}
		got, err := text.Decode(given)
		same, errBytes := text.DecodeBytes([]byte(given))
		require.Equal(t, got, same)
		require.Equal(t, err, errBytes)
		if err == nil {
			again, err := text.Encode(got)
			require.NoError(t, err)
			require.Equal(t, given, again)
		} else {
			require.Zero(t, got)
			require.NotEmpty(t, err.Error())
		}
		written, err := text.Encode(n)
		if err == nil {
			got, err := text.Decode(written)
			require.NoError(t, err)
			require.Equal(t, n, got)
			require.LessOrEqual(t, len(written), text.MaxLen())
		} else {
			require.ErrorIs(t, err, ErrRange)
		}
	})
}
