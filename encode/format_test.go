package encode

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestFormatAppendRefuses(t *testing.T) {
	const top uint64 = 1<<63 - 1
	at := time.Date(2026, time.July, 23, 21, 43, 0, 0, time.UTC)
	group := FormatOptions{Prefix: "BIZ-", Group: true}
	for _, tt := range []struct {
		options FormatOptions
		fields  Fields
		class   error
		want    string
	}{
		{FormatOptions{}, Fields{}, ErrRange, "encode: decimal number 0 is outside 1 to 9223372036854775807"},
		{FormatOptions{}, Fields{Number: top + 1}, ErrRange, "9223372036854775808 is outside"},
		{FormatOptions{Bits: 53}, Fields{Number: 1 << 53}, ErrRange, "outside 1 to 9007199254740991"},
		{FormatOptions{Base: Radix36, Width: 2}, Fields{Number: 1296}, ErrRange, "encode: base36 number 1296 is outside 1 to 1295"},
		{FormatOptions{Base: Radix36, Width: 2, Unpadded: true}, Fields{Number: 1296}, ErrRange, "outside 1 to 1295"},
		{FormatOptions{Base: Radix62, Width: 1}, Fields{Number: 62}, ErrRange, "encode: base62 number 62 is outside 1 to 61"},
		{FormatOptions{Base: Radix62, Width: 11, Bits: 53}, Fields{Number: 1 << 53}, ErrRange, "outside 1 to 9007199254740991"},

		{group, Fields{Number: 1}, ErrGroup, "encode: wrong group: number 1 has none"},
		{FormatOptions{}, Fields{Number: 1, Group: "2026"}, ErrGroup, `number 1 of group "2026", in a format without groups`},
		{FormatOptions{Date: "2006"}, Fields{Number: 1, Group: "2026", Time: at}, ErrGroup, "without groups"},
		{FormatOptions{Base: Readable}, Fields{Group: "2026", Time: at}, ErrGroup, "without groups"},
		{group, Fields{Number: 1, Group: "2026-01"}, ErrGroup, `"2026-01" would end at 4 by delimiter "-"`},
		{group, Fields{Number: 1, Group: "-"}, ErrGroup, "would end at 0"},
		{FormatOptions{Group: true, Delimiter: "--"}, Fields{Number: 1, Group: "a-"}, ErrGroup, "would end at 1"},
		{FormatOptions{Group: true, Delimiter: "0"}, Fields{Number: 1, Group: "2026"}, ErrGroup, "would end at 1"},
		{group, Fields{Number: 1, Group: "a b"}, ErrGroup, `"a b" has byte 0x20 at 1`},
		{group, Fields{Number: 1, Group: strings.Repeat("x", 64)}, ErrGroup, "is 64 bytes, above 63"},
		{group, Fields{Number: 0, Group: "2026"}, ErrRange, "decimal number 0"},

		{FormatOptions{Date: "2006"}, Fields{Number: 1}, ErrTime, "encode: time without a text: year 1 is outside 1000 to 9999"},
		{FormatOptions{Date: "06"}, Fields{Number: 1}, ErrTime, "year 1 is outside"},
		{FormatOptions{Base: Readable}, Fields{Number: 1}, ErrTime, "year 1 is outside"},
		{FormatOptions{Date: "2006"}, Fields{Number: 1, Time: at.AddDate(8000, 0, 0)}, ErrTime, "year 10026 is outside"},
		{FormatOptions{Base: Readable}, Fields{Time: at.Add(time.Microsecond)}, ErrTime, "1000 ns is no whole number of milliseconds"},
		{FormatOptions{Base: Readable}, Fields{Time: at, Node: top + 1}, ErrRange, "node 9223372036854775808 is above 9223372036854775807"},
		{FormatOptions{Base: Readable}, Fields{Time: at, Sequence: top + 1}, ErrRange, "sequence 9223372036854775808 is above"},
	} {
		f := formatOf(t, tt.options)
		dst, err := f.Append([]byte("kept"), tt.fields)
		require.ErrorIs(t, err, tt.class, "%+v %+v", tt.options, tt.fields)
		require.ErrorContains(t, err, tt.want)
		require.Equal(t, "kept", string(dst))
		text, err := f.Encode(tt.fields)
		require.ErrorIs(t, err, tt.class)
		require.Empty(t, text)
	}
}

func TestFormatDecodeRefuses(t *testing.T) {
	var (
		plain    = FormatOptions{Width: 3, Prefix: "BIZ-", Suffix: "/CN"}
		inside   = FormatOptions{Width: 3, Prefix: "BIZ-", Group: true}
		before   = FormatOptions{Width: 3, Prefix: "BIZ-", Group: true, LeadFirst: true}
		wide     = FormatOptions{Group: true, Delimiter: "--"}
		day      = FormatOptions{Width: 3, Prefix: "BIZ-", Date: "20060102"}
		glued    = FormatOptions{Date: "20060102", Undelimited: true, LeadFirst: true, Prefix: "B"}
		exact    = FormatOptions{Base: Radix36, Width: 3, Suffix: "!"}
		unpadded = FormatOptions{Base: Radix36, Width: 3, Unpadded: true, Suffix: "!"}
		readable = FormatOptions{Base: Readable, Prefix: "R", Suffix: "!"}
	)
	for _, tt := range []struct {
		options FormatOptions
		text    string
		class   error
		pos     int
	}{
		{plain, "", ErrPrefix, -1},
		{plain, "BIZ", ErrPrefix, -1},
		{plain, "biz-001/CN", ErrPrefix, -1},
		{plain, "BIZ-001", ErrSyntax, 4},
		{plain, "BIZ-001/cN", ErrSyntax, 8},
		{plain, "BIZ-001/CN ", ErrSyntax, 8},
		{plain, "BIZ-", ErrSyntax, 4},
		{plain, "BIZ-/CN", ErrSyntax, 4},
		{plain, "BIZ-01/CN", ErrSyntax, 6},
		{plain, "BIZ-0001/CN", ErrSyntax, 4},
		{plain, "BIZ-000/CN", ErrRange, -1},
		{plain, "BIZ-+01/CN", ErrSyntax, 4},
		{plain, "BIZ-0 1/CN", ErrSyntax, 5},
		{plain, "BIZ-9223372036854775808/CN", ErrRange, -1},
		{plain, "BIZ-18446744073709551617/CN", ErrRange, -1},
		{plain, "BIZ-184467440737095516165/CN", ErrRange, -1}, // 10 * 2^64 + 5: a wrapping reader takes it for 5

		{inside, "BIZ-001", ErrSyntax, 7},
		{inside, "BIZ--001", ErrSyntax, 4},
		{inside, "BIZ-2026-01", ErrSyntax, 11},
		{inside, "BIZ-2026-01-001", ErrSyntax, 11},
		{inside, "BIZ-20 6-001", ErrSyntax, 6},
		{inside, "BIZ-" + strings.Repeat("x", 64) + "-001", ErrSyntax, 67},
		{inside, "2026-BIZ-001", ErrPrefix, -1},
		{before, "BIZ-001", ErrPrefix, -1},
		{before, "BIZ-2026-001", ErrPrefix, -1},
		{before, "2026-BIZ-", ErrSyntax, 9},
		{before, "-BIZ-001", ErrSyntax, 0},
		{wide, "a---1", ErrSyntax, 3},
		{wide, "a-1", ErrSyntax, 3},

		{day, "BIZ-20260229-001", ErrSyntax, 4},
		{day, "BIZ-20261301-001", ErrSyntax, 4},
		{day, "BIZ-20260100-001", ErrSyntax, 4},
		{day, "BIZ-09990101-001", ErrSyntax, 4},
		{day, "BIZ-2026010-001", ErrSyntax, 11},
		{day, "BIZ-20260101001", ErrSyntax, 12},
		{day, "BIZ-202601", ErrSyntax, 10},
		{glued, "20260101", ErrPrefix, -1},
		{glued, "20260101B01", ErrSyntax, 9},

		{exact, "0A!", ErrSyntax, 2},
		{exact, "00AB!", ErrSyntax, 3},
		{exact, "00a!", ErrSyntax, 2},
		{exact, "000!", ErrRange, -1},
		{unpadded, "0A!", ErrSyntax, 0},
		{unpadded, "0!", ErrRange, -1},
		{unpadded, "!", ErrSyntax, 0},
		{unpadded, "1000!", ErrRange, -1},
		{unpadded, "100-!", ErrSyntax, 3},

		{readable, "R", ErrSyntax, 1},
		{readable, "R!", ErrSyntax, 1},
		{readable, "R2022032013361792-5-0!", ErrSyntax, 17},
		{readable, "R20220320133617924!", ErrSyntax, 18},
		{readable, "R20220320133617924-!", ErrSyntax, 19},
		{readable, "R20220320133617924-5!", ErrSyntax, 20},
		{readable, "R20220320133617924-5-!", ErrSyntax, 21},
		{readable, "R20220320133617924--0!", ErrSyntax, 19},
		{readable, "R20220320133617924-5-00!", ErrSyntax, 21},
		{readable, "R20220320133617924-05-0!", ErrSyntax, 19},
		{readable, "R20220320133617924-5-0-!", ErrSyntax, 22},
		{readable, "R20220320133617924-+5-0!", ErrSyntax, 19},
		{readable, "R20220230133617924-5-0!", ErrSyntax, 1},
		{readable, "R20220320240000000-5-0!", ErrSyntax, 9},
		{readable, "R20220320236000000-5-0!", ErrSyntax, 9},
		{readable, "R20220320235960000-5-0!", ErrSyntax, 9},
		{readable, "R00010101000000000-0-0!", ErrSyntax, 1},
		{readable, "R20220320133617924-9223372036854775808-0!", ErrRange, -1},
		{readable, "R20220320133617924-5-9223372036854775808!", ErrRange, -1},
		{readable, "R20220320133617924-5-18446744073709551617!", ErrRange, -1},
		{readable, "R20220320133617924-5-99999999999999999999999!", ErrRange, -1},
		{readable, "R20220320133617924-5-184467440737095516165!", ErrRange, -1}, // 10 * 2^64 + 5
	} {
		v, err := formatOf(t, tt.options).Decode(tt.text)
		require.ErrorIs(t, err, tt.class, "%q: %+v", tt.text, v)
		require.Zero(t, v, "%q", tt.text)
		if tt.class == ErrSyntax {
			var typed *Error
			require.ErrorAs(t, err, &typed)
			require.Equal(t, tt.pos, typed.Pos, "%q", tt.text)
			require.Equal(t, tt.text, typed.Text)
		}
	}
}

// The same number has another date in another zone, and the moment of writing
// changes nothing: the passed time is all that counts.
func TestFormatDateIsThatOfTheZone(t *testing.T) {
	at := time.Date(2026, time.December, 31, 20, 0, 0, 0, time.UTC)
	berlin, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	east := time.FixedZone("", 4*60*60)
	for _, tt := range []struct {
		date  string
		zone  *time.Location
		text  string
		first time.Time // what is read back; zero: write-only
	}{
		{"20060102", nil, "20261231-1", time.Date(2026, time.December, 31, 0, 0, 0, 0, time.UTC)},
		{"200601", nil, "202612-1", time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC)},
		{"2006", nil, "2026-1", time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)},
		{"20060102", east, "20270101-1", time.Date(2027, time.January, 1, 0, 0, 0, 0, east)},
		{"200601", east, "202701-1", time.Date(2027, time.January, 1, 0, 0, 0, 0, east)},
		{"2006", east, "2027-1", time.Date(2027, time.January, 1, 0, 0, 0, 0, east)},
		{"060102", berlin, "261231-1", time.Time{}},
		{"0601", nil, "2612-1", time.Time{}},
		{"06", nil, "26-1", time.Time{}},
	} {
		f := formatOf(t, FormatOptions{Date: tt.date, Zone: tt.zone})
		text, err := f.Encode(Fields{Number: 1, Time: at})
		require.NoError(t, err)
		require.Equal(t, tt.text, text)
		require.Equal(t, !tt.first.IsZero(), f.Reads())
		if f.Reads() {
			got, err := f.Decode(text)
			require.NoError(t, err)
			require.Equal(t, Fields{Number: 1, Time: tt.first}, got)
		}
	}
}

// Both instants of the hour that a zone repeats have one text, which is why
// such a zone doesn't read.
func TestFormatReadableInTheRepeatedHour(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	f := formatOf(t, FormatOptions{Base: Readable, Zone: berlin})
	first := time.Date(2026, time.October, 25, 0, 30, 0, 0, time.UTC)
	a, err := f.Encode(Fields{Time: first})
	require.NoError(t, err)
	b, err := f.Encode(Fields{Time: first.Add(time.Hour)})
	require.NoError(t, err)
	require.Equal(t, a, b)
	require.False(t, f.Reads())
}

// A group may be whatever doesn't end early, delimiters of digits included.
func TestFormatGroupsOfAnyDelimiter(t *testing.T) {
	for _, delimiter := range []string{"-", "0", "00", "--", "aab", "aba", "BIZ"} {
		for _, group := range []string{"2", "20", "a", "aa", "ab", "x-", "x-y", "B", "BIZ", "\x7e"} {
			for _, first := range []bool{false, true} {
				f := formatOf(t, FormatOptions{Group: true, Delimiter: delimiter, LeadFirst: first, Prefix: "BIZ", Suffix: "0"})
				text, err := f.Encode(Fields{Group: group, Number: 1001})
				ends := strings.Index(group+delimiter, delimiter)
				if ends < len(group) {
					require.ErrorIs(t, err, ErrGroup, "%q %q", group, delimiter)
					continue
				}
				require.NoError(t, err)
				got, err := f.Decode(text)
				require.NoError(t, err, "%q", text)
				require.Equal(t, Fields{Group: group, Number: 1001}, got)
			}
		}
	}
}

// Every width of every radix, at both ends of its numbers.
func TestFormatWidths(t *testing.T) {
	for base, digits := range map[Base]uint64{Radix10: 10, Radix36: 36, Radix62: 62} {
		for width := range maxWidths[base] + 1 {
			for _, bits := range []int{0, 1, 53, 63} {
				for _, unpadded := range []bool{false, true} {
					if unpadded && base == Radix10 {
						continue
					}
					f := formatOf(t, FormatOptions{Base: base, Width: width, Bits: bits, Unpadded: unpadded})
					largest := uint64(1<<63 - 1)
					if bits > 0 {
						largest = 1<<bits - 1
					}
					if fits := uint64(1); base != Radix10 && width > 0 && width < maxWidths[base] {
						for range width {
							fits *= digits
						}
						largest = min(largest, fits-1)
					}
					for _, n := range []uint64{1, largest/2 + 1, largest} {
						text, err := f.Encode(Fields{Number: n})
						require.NoError(t, err)
						if width > 0 && base != Radix10 && !unpadded {
							require.Len(t, text, width)
						}
						if unpadded {
							require.NotEqual(t, byte('0'), text[0])
						}
						if base == Radix10 {
							require.GreaterOrEqual(t, len(text), width)
						}
						got, err := f.Decode(text)
						require.NoError(t, err)
						require.Equal(t, Fields{Number: n}, got)
					}
					_, err := f.Encode(Fields{Number: largest + 1})
					require.ErrorIs(t, err, ErrRange)
				}
			}
		}
	}
}

// Errors about hostile texts stay small.
func TestFormatErrorsKeepLittle(t *testing.T) {
	for _, o := range []FormatOptions{{}, {Prefix: "BIZ-"}, {Group: true}, {Date: "2006"}, {Base: Readable}, {Base: Radix62}, {Suffix: "x"}} {
		for _, part := range []string{"\x00", "9", "-", "20220320133617924-5-9"} {
			_, err := formatOf(t, o).Decode(strings.Repeat(part, 1<<16))
			require.Error(t, err)
			require.Less(t, len(err.Error()), 8*keptText)
		}
		_, err := formatOf(t, o).Decode("20220320133617924-5-9" + strings.Repeat("9", 1<<16))
		require.Error(t, err)
		require.Less(t, len(err.Error()), 8*keptText)
		_, err = formatOf(t, o).Encode(Fields{Group: strings.Repeat("\xff", 1<<16), Number: 1})
		require.Error(t, err)
		require.Less(t, len(err.Error()), 8*keptText)
	}
	_, err := NewFormat(FormatOptions{Prefix: strings.Repeat("\xff", 1<<16), Date: strings.Repeat("\xff", 1<<16)})
	require.Less(t, len(err.Error()), 16*keptText)
}
