package encode

import (
	"testing"
	"time"
	_ "time/tzdata" // zones on machines without a database of them

	"github.com/stretchr/testify/require"
)

func formatOf(t testing.TB, o FormatOptions) *Format {
	t.Helper()
	f, err := NewFormat(o)
	require.NoError(t, err)
	return f
}

// requireFields compares times as instants.
func requireFields(t testing.TB, want, got Fields) {
	t.Helper()
	require.True(t, want.Time.Equal(got.Time), "%v is not %v", got.Time, want.Time)
	want.Time, got.Time = time.Time{}, time.Time{}
	require.Equal(t, want, got)
}

func TestFormatVectors(t *testing.T) {
	shanghai := time.FixedZone("UTC+8", 8*60*60)
	date := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		options FormatOptions
		fields  Fields
		text    string
	}{
		"1 padded to 5":                    {FormatOptions{Width: 5}, Fields{Number: 1}, "00001"},
		"8 with pad 8 and prefix BIZ-":     {FormatOptions{Width: 8, Prefix: "BIZ-"}, Fields{Number: 8}, "BIZ-00000008"},
		"group 2024, base62 pad 11, id 10": {FormatOptions{Base: Radix62, Group: true}, Fields{Group: "2024", Number: 10}, "2024-0000000000A"},
		"36 in radix36, width 2":           {FormatOptions{Base: Radix36, Width: 2}, Fields{Number: 36}, "10"},
		"36 in radix36, unpadded":          {FormatOptions{Base: Radix36, Unpadded: true}, Fields{Number: 36}, "10"},
		"1295 in radix36, width 2":         {FormatOptions{Base: Radix36, Width: 2}, Fields{Number: 1295}, "ZZ"},
		"1295 in radix36, unpadded":        {FormatOptions{Base: Radix36, Unpadded: true}, Fields{Number: 1295}, "ZZ"},
		"148 in radix36 width 8":           {FormatOptions{Base: Radix36, Width: 8}, Fields{Number: 148}, "00000044"},
		"group inside the prefix":          {FormatOptions{Width: 8, Prefix: "BIZ-", Group: true}, Fields{Group: "20260101", Number: 1}, "BIZ-20260101-00000001"},
		"group before the prefix":          {FormatOptions{Width: 8, Prefix: "BIZ-", Group: true, LeadFirst: true}, Fields{Group: "20260101", Number: 1}, "20260101-BIZ-00000001"},
		"date inside the prefix":           {FormatOptions{Width: 8, Prefix: "BIZ-", Date: "20060102"}, Fields{Time: date, Number: 1}, "BIZ-20260101-00000001"},
		"date before the prefix":           {FormatOptions{Width: 8, Prefix: "BIZ-", Date: "20060102", LeadFirst: true}, Fields{Time: date, Number: 1}, "20260101-BIZ-00000001"},
		"radix62 pads to 11":               {FormatOptions{Base: Radix62}, Fields{Number: 1<<63 - 1}, "AzL8n0Y58m7"},
		"radix36 pads to 13":               {FormatOptions{Base: Radix36}, Fields{Number: 36}, "0000000000010"},
		"a longer number isn't cut":        {FormatOptions{Width: 5}, Fields{Number: 123456}, "123456"},
		"suffix":                           {FormatOptions{Width: 3, Suffix: "-CN"}, Fields{Number: 7}, "007-CN"},
	} {
		t.Run(name, func(t *testing.T) {
			f := formatOf(t, tt.options)
			text, err := f.Encode(tt.fields)
			require.NoError(t, err)
			require.Equal(t, tt.text, text)
			require.True(t, f.Reads())
			got, err := f.Decode(text)
			require.NoError(t, err)
			requireFields(t, tt.fields, got)
		})
	}

	// CosId's default layout: 41 bits of milliseconds, 10 of node, 12 of sequence.
	const id uint64 = 295913926632165376
	readable := Fields{
		Time:     time.UnixMilli(1577203200000 + int64(id>>22)),
		Node:     id >> 12 & (1<<10 - 1),
		Sequence: id & (1<<12 - 1),
	}
	t.Run("readable in Asia/Shanghai", func(t *testing.T) {
		zone, err := time.LoadLocation("Asia/Shanghai")
		require.NoError(t, err)
		f := formatOf(t, FormatOptions{Base: Readable, Zone: zone})
		text, err := f.Encode(readable)
		require.NoError(t, err)
		require.Equal(t, "20220320133617924-5-0", text)
		require.False(t, f.Reads())
		_, err = f.Decode(text)
		require.ErrorIs(t, err, ErrWriteOnly)
	})
	t.Run("readable at UTC+8", func(t *testing.T) {
		f := formatOf(t, FormatOptions{Base: Readable, Zone: shanghai})
		got, err := f.Decode("20220320133617924-5-0")
		require.NoError(t, err)
		requireFields(t, readable, got)
		text, err := f.Encode(got)
		require.NoError(t, err)
		require.Equal(t, "20220320133617924-5-0", text)
	})
}

// The base62 and base36 columns of the radix vectors, as Formats.
func TestFormatVectorsRadix(t *testing.T) {
	for _, row := range rows(t, "radix.tsv", 6) {
		n, err := coderOf(t, Decimal, 63).ParseString(row[0])
		for base, column := range map[Base]int{Radix62: 1, Radix36: 4} {
			f := formatOf(t, FormatOptions{Base: base})
			if err != nil { // the row of 0
				_, err := f.Decode(row[column])
				require.ErrorIs(t, err, ErrRange)
				continue
			}
			text, err := f.Encode(Fields{Number: n})
			require.NoError(t, err)
			require.Equal(t, row[column], text)
			got, err := f.Decode(text)
			require.NoError(t, err)
			require.Equal(t, Fields{Number: n}, got)
		}
	}
}
