package encode

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestNewFormatRefuses(t *testing.T) {
	long := strings.Repeat("x", 64)
	for _, tt := range []struct {
		options FormatOptions
		want    string
	}{
		{FormatOptions{Base: 4}, "base 4 is above 3"},
		{FormatOptions{Base: 255}, "base 255 is above 3"},
		{FormatOptions{Width: -1}, "width -1 is outside 0 to 19"},
		{FormatOptions{Width: 20}, "width 20 is outside 0 to 19"},
		{FormatOptions{Base: Radix36, Width: 14}, "width 14 is outside 0 to 13"},
		{FormatOptions{Base: Radix62, Width: 12}, "width 12 is outside 0 to 11"},
		{FormatOptions{Unpadded: true}, "unpadded decimal is that of width 0"},
		{FormatOptions{Base: Readable, Width: 5}, "readable takes no width (5)"},
		{FormatOptions{Base: Readable, Bits: 53}, "bits (53)"},
		{FormatOptions{Base: Readable, Unpadded: true}, "unpadded (true)"},
		{FormatOptions{Base: Readable, Group: true}, "readable takes no group (true)"},
		{FormatOptions{Base: Readable, Date: "2006"}, `date ("2006")`},
		{FormatOptions{Group: true, Date: "2006"}, `group and date "2006" exclude each other`},
		{FormatOptions{Date: "2006-01-02"}, `date "2006-01-02" is none of`},
		{FormatOptions{Date: "Jan"}, `date "Jan" is none of`},
		{FormatOptions{Delimiter: "/"}, `delimiter "/"`},
		{FormatOptions{Undelimited: true}, "undelimited (true)"},
		{FormatOptions{LeadFirst: true}, "lead first (true) need a group or a date"},
		{FormatOptions{Group: true, Undelimited: true, Delimiter: "/"}, `undelimited has delimiter "/"`},
		{FormatOptions{Prefix: long}, "prefix"},
		{FormatOptions{Suffix: long}, "is 64 bytes, above 63"},
		{FormatOptions{Group: true, Delimiter: long}, "delimiter"},
		{FormatOptions{Prefix: "a b"}, `prefix "a b" has byte 0x20 at 1, outside 0x21 to 0x7e`},
		{FormatOptions{Suffix: "é"}, "suffix \"é\" has byte 0xc3 at 0"},
		{FormatOptions{Group: true, Delimiter: "\n"}, `delimiter "\n" has byte 0x0a at 0`},
		{FormatOptions{Base: Readable, Zone: time.Local}, "zone is time.Local"},
		{FormatOptions{Zone: time.UTC}, "zone UTC needs readable or a date"},
	} {
		f, err := NewFormat(tt.options)
		require.ErrorIs(t, err, ErrFormat, "%+v", tt.options)
		require.ErrorContains(t, err, tt.want, "%+v", tt.options)
		require.Nil(t, f)
	}

	for _, bits := range []int{-1, 64} {
		_, err := NewFormat(FormatOptions{Bits: bits})
		require.ErrorIs(t, err, ErrBits)
		require.NotErrorIs(t, err, ErrFormat)
	}
}

func TestNewFormatReportsEveryViolation(t *testing.T) {
	_, err := NewFormat(FormatOptions{
		Base: Radix62, Width: 12, Bits: 64, Group: true, Date: "Jan",
		Delimiter: " ", Undelimited: true, Prefix: "\x00", Suffix: "\xff", Zone: time.Local,
	})
	require.ErrorIs(t, err, ErrBits)
	for _, want := range []string{"width 12", "64 is outside", "exclude each other", "none of 2006", "undelimited has", "prefix", "suffix", `delimiter " " has byte`, "time.Local"} {
		require.ErrorContains(t, err, want)
	}
}

func TestFormatReads(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	require.NoError(t, err)
	fixed, err := time.LoadLocation("Etc/GMT-8")
	require.NoError(t, err)
	for _, tt := range []struct {
		options FormatOptions
		reason  string
	}{
		{FormatOptions{}, ""},
		{FormatOptions{Group: true}, ""},
		{FormatOptions{Group: true, Undelimited: true}, "nothing ends the group"},
		{FormatOptions{Date: "20060102", Undelimited: true}, ""},
		{FormatOptions{Date: "060102"}, "the year lacks its century"},
		{FormatOptions{Date: "20060102", Zone: berlin}, "the offset of zone Europe/Berlin changes"},
		{FormatOptions{Base: Readable, Zone: berlin}, "the offset of zone Europe/Berlin changes"},
		{FormatOptions{Base: Readable, Zone: fixed}, ""},
		{FormatOptions{Base: Readable, Zone: time.UTC}, ""},
		{FormatOptions{Base: Readable, Zone: time.FixedZone("", -12600)}, ""},
	} {
		f := formatOf(t, tt.options)
		require.Equal(t, tt.reason == "", f.Reads(), "%+v", tt.options)
		_, err := f.Decode("")
		if tt.reason != "" {
			require.ErrorIs(t, err, ErrWriteOnly)
			require.ErrorContains(t, err, tt.reason)
		} else {
			require.ErrorIs(t, err, ErrSyntax)
		}
	}
}

func TestZeroFormat(t *testing.T) {
	for _, f := range []*Format{nil, {}} {
		require.False(t, f.Reads())
		dst, err := f.Append([]byte("kept"), Fields{Number: 1})
		require.ErrorIs(t, err, ErrFormat)
		require.Equal(t, "kept", string(dst))
		_, err = f.Encode(Fields{Number: 1})
		require.ErrorIs(t, err, ErrFormat)
		_, err = f.Decode("1")
		require.ErrorIs(t, err, ErrFormat)
	}
}
