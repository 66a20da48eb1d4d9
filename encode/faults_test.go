package encode

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Unpadded texts change length and so their order: in base62 with 41 bits of
// milliseconds, in the middle of a day. Padded ones keep it for all numbers.
func TestF6_FixedFormsSortAsNumbersDo(t *testing.T) {
	const lengthens = 839299365868340224 // 62^10

	for _, codec := range standards() {
		for _, bits := range []int{53, 63} {
			c := coderOf(t, codec, bits)
			numbers := samples(bits)
			slices.Sort(numbers)
			texts := make([]string, len(numbers))
			for i, n := range numbers {
				texts[i] = textOf(t, c, n)
			}
			require.Equal(t, c.Sorts(), slices.IsSorted(texts), "%v, %d bits", codec, bits)
			require.Equal(t, c.Sorts(), c.Width() > 0, "%v", codec)
		}
	}

	wide, short := coderOf(t, Base62, 63), coderOf(t, Base62Compact, 63)
	require.Less(t, textOf(t, wide, lengthens-1), textOf(t, wide, lengthens))
	require.Greater(t, textOf(t, short, lengthens-1), textOf(t, short, lengthens))
}

func TestF7_NothingAboveTheLargestNumberIsRead(t *testing.T) {
	_, err := parseBoth(t, coderOf(t, Base62, 63), "zzzzzzzzzzz")
	require.ErrorIs(t, err, ErrRange)

	for _, codec := range standards() {
		digits := forms[codec].digits
		top := digits.digits[len(digits.digits)-1]
		for bits := 1; bits <= 63; bits++ {
			c := coderOf(t, codec, bits)
			largest := uint64(1)<<bits - 1
			n, err := parseBoth(t, c, textOf(t, c, largest))
			require.NoError(t, err)
			require.Equal(t, largest, n)

			// One more, twice as much, and what wraps to 1 in 64 bits, all
			// at once or before the last digit: as far as it has the width.
			wraps := new(big.Int).Lsh(big.NewInt(1), 64)
			wrapsEarly := new(big.Int).Mul(wraps, new(big.Int).SetUint64(digits.base()))
			for _, above := range []string{
				bigText(largest+1, digits.digits),
				bigText(2*largest+1, digits.digits),
				bigText(math.MaxUint64, digits.digits),
				bigIntText(wraps.Add(wraps, big.NewInt(1)), digits.digits),
				bigIntText(wrapsEarly.Add(wrapsEarly, big.NewInt(1)), digits.digits),
			} {
				if len(above) == c.MaxLen() || c.Width() == 0 {
					_, err = parseBoth(t, c, above)
					require.ErrorIs(t, err, ErrRange, "%v, %d bits: %q", codec, bits, above)
				}
			}
			highest := slices.Repeat([]byte{top}, c.MaxLen())
			if string(highest) != textOf(t, c, largest) {
				_, err = parseBoth(t, c, string(highest))
				require.ErrorIs(t, err, ErrRange, "%v, %d bits: %q", codec, bits, highest)
			}
		}
	}
}

func TestF8_DecimalIsCanonical(t *testing.T) {
	c := coderOf(t, Decimal, 63)
	for _, text := range []string{
		"", "-5", "+5", "0005", "-0", " 5", "5 ", "5\n", "\t5", "5.0", "5.", ".5", "1e3", "0x5", "0b1", "0o7",
		"1_000", "1,000", "٥", "５", "5\x00", "\x005", "NaN", "-", "+",
	} {
		_, err := parseBoth(t, c, text)
		require.ErrorIs(t, err, ErrSyntax, "%q", text)
	}
	n, err := parseBoth(t, c, "5")
	require.NoError(t, err)
	require.EqualValues(t, 5, n)
}

// Changes to a valid text that lenient readers ignore.
func TestF9_OneTextPerNumber(t *testing.T) {
	codecs := []Codec{sqidsOf(t, SqidsOptions{}), sqidsOf(t, SqidsOptions{MinLength: 16})}
	for _, codec := range standards() {
		codecs = append(codecs, codec)
	}
	for _, codec := range codecs {
		c := coderOf(t, codec, 63)
		for _, n := range []uint64{1, 35, 36, 10, 295913926632165376, 1<<63 - 1} {
			text := textOf(t, c, n)
			first := text[:1]
			if s, ok := codec.(Standard); ok {
				first = forms[s].digits.digits[:1]
			}
			for _, other := range []string{
				text + " ", " " + text, text + "\n", text + "\x00", text + "=", "+" + text, "-" + text,
				text + "_", text + "-1", text + "," + text, text + text, text + "é", "\ufeff" + text,
				first + text, text + first, text[1:], text[:len(text)-1], upper(text), lower(text),
			} {
				got, err := parseBoth(t, c, other) // which checks that what parses re-encodes
				if err == nil && other != text {
					require.NotEqual(t, n, got, "%s reads %q as %q", codec.Name(), other, text)
				}
			}
		}
	}
}

// upper and lower change ASCII letters only.
func upper(text string) string {
	changed := []byte(text)
	for i, c := range changed {
		if 'a' <= c && c <= 'z' {
			changed[i] = c - 'a' + 'A'
		}
	}
	return string(changed)
}

func lower(text string) string {
	changed := []byte(text)
	for i, c := range changed {
		if 'A' <= c && c <= 'Z' {
			changed[i] = c - 'A' + 'a'
		}
	}
	return string(changed)
}

func TestF10_PrefixRule(t *testing.T) {
	for _, prefix := range []string{"u_", "usr_", "test_key_", "a1_", "a__", "x9z_", longPrefix(63)} {
		text, err := NewText(Base62, prefix, 63)
		require.NoError(t, err, "%q", prefix)
		require.Equal(t, prefix, text.Prefix())
	}
	for _, prefix := range []string{
		"_", "a", "ab", "1_", "_a_", "Usr_", "uSr_", "usr-", "usr", "us r_", "usr_ ", " usr_", "üsr_", "usr_\n",
		"usr.", "usr:_", "a\x00_", longPrefix(64), longPrefix(1 << 20),
	} {
		_, err := NewText(Base62, prefix, 63)
		require.ErrorIs(t, err, ErrPrefix, "%.80q", prefix)
		require.Less(t, len(err.Error()), 500)
	}
}

func longPrefix(length int) string {
	return string(slices.Repeat([]byte("a"), length-1)) + "_"
}
