package encode

import (
	"strings"
	"testing"
	"time"

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

func TestFormatAllocations(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	long := strings.Repeat("x", 60)
	dst := make([]byte, 0, 512)
	at := time.Date(2026, time.July, 23, 21, 43, 0, int(123*time.Millisecond), time.UTC)
	for _, tt := range []struct {
		options FormatOptions
		fields  Fields
	}{
		{FormatOptions{Width: 8, Prefix: long, Suffix: long}, Fields{Number: 5}},
		{FormatOptions{Base: Radix62, Group: true}, Fields{Number: 5, Group: "20260723"}},
		{FormatOptions{Base: Radix36, Unpadded: true, Group: true, Delimiter: long + "-", LeadFirst: true}, Fields{Number: 5, Group: long}},
		{FormatOptions{Date: "20060102", Zone: berlin}, Fields{Number: 5, Time: at}},
		{FormatOptions{Date: "20060102", Undelimited: true}, Fields{Number: 5, Time: at}},
		{FormatOptions{Base: Readable, Zone: berlin}, Fields{Time: at, Node: 5, Sequence: 1234}},
		{FormatOptions{Base: Readable}, Fields{Time: at, Node: 5, Sequence: 1234}},
	} {
		f := formatOf(t, tt.options)
		text, err := f.Encode(tt.fields)
		require.NoError(t, err)
		require.Zero(t, testing.AllocsPerRun(100, func() { sinkBytes, _ = f.Append(dst, tt.fields) }), "Append of %q", text)
		require.Equal(t, text, string(sinkBytes))
		if f.Reads() {
			require.Zero(t, testing.AllocsPerRun(100, func() { _, err = f.Decode(text) }), "Decode of %q", text)
			require.NoError(t, err)
		}
		if len(text) <= 64 {
			require.EqualValues(t, 1, testing.AllocsPerRun(100, func() { sinkString, _ = f.Encode(tt.fields) }), "Encode of %q", text)
		}
	}
}
