package encode

import (
	"bytes"
	"math"
	"math/big"
	"strings"
	"sync"
	"testing"

	jxskiss "github.com/jxskiss/base62"
	"github.com/stretchr/testify/require"
)

// Names and digits are part of the data format.
func TestFormsAreFrozen(t *testing.T) {
	frozen := map[Standard][2]string{
		Base62:        {"base62", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"},
		Base58:        {"base58", "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"},
		Base36:        {"base36", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
		Base36Lower:   {"base36-lower", "0123456789abcdefghijklmnopqrstuvwxyz"},
		Base32:        {"base32", "0123456789abcdefghjkmnpqrstvwxyz"},
		Hex:           {"hex", "0123456789abcdef"},
		Decimal:       {"decimal", "0123456789"},
		DecimalPadded: {"decimal-padded", "0123456789"},
		Base62Compact: {"base62-compact", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"},
		Base58Compact: {"base58-compact", "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"},
	}
	require.Len(t, standards(), len(frozen))
	for codec, want := range frozen {
		require.Equal(t, want[0], codec.Name())
		c := coderOf(t, codec, 63)
		for digit := 1; digit < len(want[1]); digit++ {
			text := textOf(t, c, uint64(digit))
			require.Equal(t, want[1][digit], text[len(text)-1], "%v of %d", codec, digit)
			require.Equal(t, strings.Repeat(want[1][:1], len(text)-1), text[:len(text)-1])
		}
	}
}

func TestWidths(t *testing.T) {
	widths := map[Standard]map[int]int{
		Base62:        {63: 11, 60: 11, 59: 10, 53: 9, 1: 1},
		Base58:        {63: 11, 53: 10, 1: 1},
		Base36:        {63: 13, 53: 11, 1: 1},
		Base36Lower:   {63: 13, 53: 11},
		Base32:        {63: 13, 53: 11, 5: 1, 6: 2},
		Hex:           {63: 16, 53: 14, 4: 1, 5: 2},
		DecimalPadded: {63: 19, 53: 16, 3: 1, 4: 2},
	}
	for codec, byBits := range widths {
		for bits, width := range byBits {
			c := coderOf(t, codec, bits)
			require.Equal(t, width, c.Width(), "%v, %d bits", codec, bits)
			require.Equal(t, width, c.MaxLen(), "%v, %d bits", codec, bits)
			require.True(t, c.Sorts())
		}
	}
	lengths := map[Standard]int{Decimal: 19, Base62Compact: 11, Base58Compact: 11}
	for codec, longest := range lengths {
		c := coderOf(t, codec, 63)
		require.Zero(t, c.Width(), "%v", codec)
		require.Equal(t, longest, c.MaxLen(), "%v", codec)
		require.False(t, c.Sorts())
	}
	require.Len(t, standards(), len(widths)+len(lengths))
}

// Every codec against math/big's digits, at widths on both sides of those at
// which texts grow.
func TestAgainstBig(t *testing.T) {
	for _, codec := range standards() {
		digits := forms[codec].digits.digits
		for _, bits := range []int{1, 2, 5, 6, 10, 31, 32, 33, 47, 48, 53, 59, 60, 62, 63} {
			c := coderOf(t, codec, bits)
			for _, n := range samples(bits) {
				want := bigText(n, digits)
				if !forms[codec].compact {
					want = strings.Repeat(digits[:1], c.Width()-len(want)) + want
				}
				require.Equal(t, want, textOf(t, c, n), "%v, %d bits, %d", codec, bits, n)
				parsed, err := parseBoth(t, c, want)
				require.NoError(t, err)
				require.Equal(t, n, parsed, "%v, %d bits, %q", codec, bits, want)
			}
		}
	}
}

func bigText(n uint64, digits string) string {
	return bigIntText(new(big.Int).SetUint64(n), digits)
}

func bigIntText(n *big.Int, digits string) string {
	base := big.NewInt(int64(len(digits)))
	rest, digit := new(big.Int).Set(n), new(big.Int)
	var reversed []byte
	for rest.Sign() > 0 {
		rest.DivMod(rest, base, digit)
		reversed = append(reversed, digits[digit.Int64()])
	}
	for i, j := 0, len(reversed)-1; i < j; i, j = i+1, j-1 {
		reversed[i], reversed[j] = reversed[j], reversed[i]
	}
	return string(reversed)
}

// The quick coder of 11 digits and the general one are the same codec.
func TestBase62AgainstFixed(t *testing.T) {
	for bits := 60; bits <= 63; bits++ {
		quick := coderOf(t, Base62, bits)
		require.IsType(t, (*base62)(nil), quick)
		general := general62(quick.(*base62))
		for _, n := range samples(bits) {
			text := textOf(t, quick, n)
			require.Equal(t, textOf(t, general, n), text)
			for i := range len(text) {
				for _, char := range []byte("0Az~\x00\xff") {
					changed := []byte(text)
					changed[i] = char
					a, errA := quick.Parse(changed)
					b, errB := general.Parse(changed)
					require.Equal(t, b, a, "%q", changed)
					require.Equal(t, errB, errA, "%q", changed)
				}
			}
		}
	}
}

func TestBase62AgainstJxskiss(t *testing.T) {
	enc := jxskiss.NewEncoding("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
	wide, short := coderOf(t, Base62, 63), coderOf(t, Base62Compact, 63)
	for _, n := range samples(63) {
		want := string(enc.FormatUint(n))
		require.Equal(t, want, textOf(t, short, n))
		require.Equal(t, want, strings.TrimLeft(textOf(t, wide, n), "0"))
		parsed, err := enc.ParseUint([]byte(textOf(t, wide, n)))
		require.NoError(t, err)
		require.Equal(t, n, parsed)
	}
}

// Any byte in any place of a valid text either fails or makes the text of
// another number.
func TestEveryCorruption(t *testing.T) {
	for _, codec := range standards() {
		for _, bits := range []int{53, 63} {
			c := coderOf(t, codec, bits)
			largest := uint64(1)<<bits - 1
			for _, n := range []uint64{1, largest / 3, largest} {
				text := textOf(t, c, n)
				for i := range len(text) {
					for char := range 256 {
						changed := []byte(text)
						changed[i] = byte(char)
						_, err := parseBoth(t, c, string(changed))
						digit := strings.IndexByte(forms[codec].digits.digits, byte(char)) >= 0
						var typed *Error
						switch {
						case !digit:
							require.ErrorAs(t, err, &typed, "%v of %q", codec, changed)
							require.Equal(t, ErrSyntax, typed.Class)
							require.Equal(t, i, typed.Pos, "%v of %q", codec, changed)
						case err != nil && !forms[codec].compact:
							require.ErrorIs(t, err, ErrRange, "%v of %q", codec, changed)
						}
					}
				}
			}
		}
	}
}

func TestAppendOutOfRange(t *testing.T) {
	codecs := []Codec{sqidsOf(t, SqidsOptions{})}
	for _, codec := range standards() {
		codecs = append(codecs, codec)
	}
	for _, codec := range codecs {
		for _, bits := range []int{1, 53, 60, 63} {
			c := coderOf(t, codec, bits)
			for _, n := range []uint64{0, 1 << bits, 1<<bits + 1, 1 << 63, 1<<64 - 1} {
				dst, err := c.Append([]byte("keep"), n)
				require.Equal(t, "keep", string(dst))
				require.ErrorIs(t, err, ErrRange)
				var typed *Error
				require.ErrorAs(t, err, &typed)
				require.Equal(t, n, typed.Number)
				require.Equal(t, uint64(1)<<bits-1, typed.Bound)
				require.Equal(t, -1, typed.Pos)
			}
		}
	}
}

// Append writes behind what is there, in place where there is room.
func TestAppendKeepsWhatIsThere(t *testing.T) {
	for _, codec := range standards() {
		c := coderOf(t, codec, 63)
		text := textOf(t, c, 1234567)
		for _, room := range []int{0, 3, 64} {
			dst := make([]byte, 4, 4+room)
			copy(dst, "keep")
			got, err := c.Append(dst, 1234567)
			require.NoError(t, err)
			require.Equal(t, "keep"+text, string(got))
			require.Equal(t, room == 64, &dst[0] == &got[0], "%v", codec)
		}
		behind := []byte("keep" + strings.Repeat("x", 64))
		_, err := c.Append(behind[:4], 1234567)
		require.NoError(t, err)
		require.Equal(t, bytes.Repeat([]byte("x"), 64-len(text)), behind[4+len(text):], "%v wrote too far", codec)
	}
}

func TestCoderConfiguration(t *testing.T) {
	for _, codec := range standards() {
		for _, bits := range []int{-1, 0, 64, 65, math.MaxInt} {
			c, err := codec.Coder(bits)
			require.ErrorIs(t, err, ErrBits)
			require.Nil(t, c)
		}
		require.Equal(t, codec.Name(), codec.String())
		require.True(t, coderOf(t, codec, 63) == coderOf(t, codec, 63), "%v: equal coders differ", codec)
		require.False(t, coderOf(t, codec, 63) == coderOf(t, codec, 62), "%v: other bits, equal coders", codec)
	}
	for _, codec := range []Standard{0, 255} {
		_, err := codec.Coder(63)
		require.ErrorIs(t, err, ErrCodec)
	}
	require.Equal(t, "Standard(0)", Standard(0).Name())

	// Codecs are compared, as fields of a configuration are.
	var a, b Codec = Base62, Base62
	require.True(t, a == b)
	require.False(t, a == Codec(Base58))
}

// Tables are built at first use, whoever comes first.
func TestConcurrentUse(t *testing.T) {
	var group sync.WaitGroup
	for _, codec := range standards() {
		for range 4 {
			group.Go(func() {
				c, err := codec.Coder(63)
				if err != nil {
					t.Error(err)
					return
				}
				for n := uint64(1); n < 2000; n++ {
					text, err := c.Append(nil, n)
					if err != nil {
						t.Error(err)
					}
					if got, err := c.Parse(text); err != nil || got != n {
						t.Errorf("%v: %q read as %d, %v", codec, text, got, err)
					}
				}
			})
		}
	}
	group.Wait()
}
