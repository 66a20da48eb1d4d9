package encode

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAllocations(t *testing.T) {
	const n uint64 = 295913926632165376
	dst := make([]byte, 0, 128)
	for _, codec := range standards() {
		for _, bits := range []int{59, 63} {
			c := coderOf(t, codec, bits)
			text := textOf(t, c, n)
			raw := []byte(text)
			require.Zero(t, testing.AllocsPerRun(100, func() { sinkBytes, _ = c.Append(dst, n) }), "%v Append", codec)
			require.Zero(t, testing.AllocsPerRun(100, func() { sinkNumber, _ = c.Parse(raw) }), "%v Parse", codec)
			require.Zero(t, testing.AllocsPerRun(100, func() { sinkNumber, _ = c.ParseString(text) }), "%v ParseString", codec)
			require.Equal(t, n, sinkNumber)

			whole, err := NewText(codec, "a_prefix_of_some_length_", bits)
			require.NoError(t, err)
			text, err = whole.Encode(n)
			require.NoError(t, err)
			raw = []byte(text)
			require.Zero(t, testing.AllocsPerRun(100, func() { sinkBytes, _ = whole.Append(dst, n) }), "%v Text.Append", codec)
			require.EqualValues(t, 1, testing.AllocsPerRun(100, func() { sinkString, _ = whole.Encode(n) }), "%v Text.Encode", codec)
			require.Zero(t, testing.AllocsPerRun(100, func() { sinkNumber, _ = whole.Decode(text) }), "%v Text.Decode", codec)
			require.Zero(t, testing.AllocsPerRun(100, func() { sinkNumber, _ = whole.DecodeBytes(raw) }), "%v Text.DecodeBytes", codec)
			require.Equal(t, n, sinkNumber)
		}
	}
}
