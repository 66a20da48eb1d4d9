package encode

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// standards are all codecs without settings.
func standards() []Standard {
	var all []Standard
	for s := Standard(1); s.known(); s++ {
		all = append(all, s)
	}
	return all
}

// coderOf returns a codec's coder for bits.
func coderOf(t testing.TB, codec Codec, bits int) Coder {
	t.Helper()
	coder, err := codec.Coder(bits)
	require.NoError(t, err)
	return coder
}

func sqidsOf(t testing.TB, o SqidsOptions) Codec {
	t.Helper()
	codec, err := NewSqids(o)
	require.NoError(t, err)
	return codec
}

// textOf writes n, which must be possible.
func textOf(t testing.TB, c Coder, n uint64) string {
	t.Helper()
	text, err := c.Append(nil, n)
	require.NoError(t, err, "number %d", n)
	return string(text)
}

// parseBoth reads text by both methods, which must agree, and checks that
// what parses is the text that Append writes and that a failure gives 0.
func parseBoth(t testing.TB, c Coder, text string) (uint64, error) {
	t.Helper()
	n, err := c.ParseString(text)
	m, errBytes := c.Parse([]byte(text))
	require.Equal(t, n, m, "ParseString and Parse of %q", text)
	require.Equal(t, err, errBytes, "ParseString and Parse of %q", text)
	if err != nil {
		require.Zero(t, n, "number with error of %q", text)
		return n, err
	}
	require.Equal(t, text, textOf(t, c, n))
	require.LessOrEqual(t, len(text), c.MaxLen())
	if c.Width() > 0 {
		require.Len(t, text, c.Width())
	}
	return n, nil
}

// digitsOf and valueOf go around the bounds, so that 0 has a text too.
func digitsOf(t testing.TB, c Coder, n uint64) string {
	t.Helper()
	switch c := c.(type) {
	case *base62:
		var text [base62Width]byte
		put62(&text, n)
		return string(text[:])
	case fixed:
		return string(c.append(nil, n))
	case compact:
		return string(c.append(nil, n))
	case base62Compact:
		return string(sorted62.encoding.AppendUint(nil, n))
	}
	require.FailNow(t, "no digits", "%T", c)
	return ""
}

func valueOf(t testing.TB, c Coder, text string) (uint64, error) {
	t.Helper()
	switch c := c.(type) {
	case *base62:
		return valueFixed(general62(c), text)
	case fixed:
		return valueFixed(c, text)
	case compact:
		return valueCompact(c, text)
	case base62Compact:
		return valueBase62Compact(c, text)
	}
	require.FailNow(t, "no value", "%T", c)
	return 0, nil
}

// general62 is the coder that c writes and reads as, only quicker.
func general62(c *base62) fixed {
	return fixed{codec: Base62, digits: &digits62, width: base62Width, largest: c.largest, limit: c.largest / 62}
}

// samples are numbers from 1 to 2^bits-1: both ends, the neighbours of powers
// of two and of every base, and random ones of every length.
func samples(bits int) []uint64 {
	largest := uint64(1)<<bits - 1
	random := rand.New(rand.NewPCG(1, uint64(bits)))
	var numbers []uint64
	add := func(n uint64) {
		if n-1 < largest {
			numbers = append(numbers, n)
		}
	}
	for _, base := range []uint64{2, 10, 32, 36, 58, 62} {
		power := uint64(1)
		for {
			add(power - 1)
			add(power)
			add(power + 1)
			if power > math.MaxUint64/base {
				break
			}
			power *= base
		}
	}
	for shift := range bits {
		for range 5 {
			add(random.Uint64() >> (64 - bits) >> shift)
		}
	}
	add(largest - 1)
	add(largest)
	return numbers
}

// rows reads a vector file: tab separated, comments after '#'.
func rows(t *testing.T, file string, columns int) [][]string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	var all [][]string
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		require.Len(t, row, columns, fmt.Sprintf("%s: %q", file, line))
		all = append(all, row)
	}
	require.NotEmpty(t, all)
	return all
}
