package encode

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestErrorMessages(t *testing.T) {
	wide, decimal := coderOf(t, Base62, 63), coderOf(t, Decimal, 53)
	text, err := NewText(Base62, "ord_", 63)
	require.NoError(t, err)

	_, err = wide.ParseString("0000000000-")
	require.EqualError(t, err, `encode: base62 text "0000000000-" has a syntax error at byte 10, 0x2d`)
	_, err = wide.ParseString("0000000000")
	require.EqualError(t, err, `encode: base62 text "0000000000" has a syntax error at byte 10, where it ends`)
	_, err = decimal.ParseString("9007199254740992")
	require.EqualError(t, err, `encode: decimal text "9007199254740992" is outside 1 to 9007199254740991`)
	_, err = decimal.Append(nil, 0)
	require.EqualError(t, err, `encode: decimal number 0 is outside 1 to 9007199254740991`)
	_, err = text.Decode("usr_0000000000-")
	require.EqualError(t, err, `encode: text "usr_0000000000-" lacks the prefix "ord_"`)
	_, err = Base62.Coder(64)
	require.EqualError(t, err, `encode: unusable number of bits: 64 is outside 1 to 63`)
	_, err = NewText(Base62, "Ord_", 63)
	require.EqualError(t, err, `encode: wrong prefix: prefix "Ord_" has byte 0x4f at 0, it must match [a-z][a-z0-9_]*`)
}

// An error about a huge text keeps little of it, in memory and in its message.
func TestErrorKeepsLittleOfAText(t *testing.T) {
	const size = 1 << 20
	hostile := strings.Repeat("\x00", size)
	text, err := NewText(Base62, "ord_", 63)
	require.NoError(t, err)

	for _, read := range []func(string) (uint64, error){
		text.Decode,
		func(s string) (uint64, error) { return text.DecodeBytes([]byte(s)) },
		func(s string) (uint64, error) { return text.Decode("ord_" + s) },
		coderOf(t, Base62, 63).ParseString,
		coderOf(t, Base58, 63).ParseString,
		coderOf(t, Decimal, 63).ParseString,
		coderOf(t, Base62Compact, 63).ParseString,
		coderOf(t, sqidsOf(t, SqidsOptions{}), 63).ParseString,
	} {
		_, err := read(hostile)
		var typed *Error
		require.ErrorAs(t, err, &typed)
		require.GreaterOrEqual(t, typed.Length, size)
		require.Len(t, typed.Text, keptText)
		require.Less(t, len(err.Error()), 8*keptText)
		require.Contains(t, err.Error(), "bytes)")
	}
}

// An Error doesn't change when the caller reuses the bytes, and doesn't keep
// the string alive of which it holds a part.
func TestErrorCopiesTheText(t *testing.T) {
	given := []byte("0000000000-")
	_, err := coderOf(t, Base62, 63).Parse(given)
	copy(given, "xxxxxxxxxxx")
	require.ErrorContains(t, err, "0000000000-")

	long := strings.Repeat("-", 1<<10)
	_, err = coderOf(t, Base62, 63).ParseString(long)
	var typed *Error
	require.ErrorAs(t, err, &typed)
	require.NotSame(t, unsafe.StringData(long), unsafe.StringData(typed.Text))
}
