package stamp_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

func newFormat(t testing.TB, id string, c *stamp.Config, o encode.FormatOptions) *stamp.Format {
	t.Helper()
	f, err := stamp.NewFormat(id, c, o)
	require.NoError(t, err)
	return f
}

// cosid is a configuration with CosId's default layout and epoch.
func cosid(t testing.TB) *stamp.Config {
	t.Helper()
	preset, ok := bits.PresetByName("cosid")
	require.True(t, ok)
	c, err := stamp.NewConfig(stamp.Options{
		Layout: preset.Layout, Epoch: preset.Timescale.Epoch, Node: nodeNumber(5),
	})
	require.NoError(t, err)
	return c
}

// From the generator to the text, and back to group and number.
func TestBusinessNumbers(t *testing.T) {
	shanghai := loadZone(t, "Asia/Shanghai")
	manual := clock.NewManual(time.Date(2025, 12, 31, 16, 0, 0, 0, time.UTC)) // midnight in Shanghai
	provider := newProvider(t, store.NewMemory(), generators{"orders": daily(manual, shanghai), "invoices": daily(manual, shanghai)})
	options := encode.FormatOptions{Prefix: "BIZ-", Group: true, Width: 8}
	undated := newConfig(t, stamp.Options{Source: provider})
	dated := newConfig(t, stamp.Options{Source: provider, Layout: dayLayout, Epoch: time.Date(2020, 1, 1, 0, 0, 0, 0, shanghai), Zone: shanghai})
	for id, c := range map[string]*stamp.Config{"orders": undated, "invoices": dated} {
		f := newFormat(t, id, c, options)
		require.True(t, f.Reads())
		for _, want := range []string{"BIZ-20260101-00000001", "BIZ-20260101-00000002"} {
			v, err := stamp.NextGrouped(background, id, c)
			require.NoError(t, err)
			text, err := f.EncodeGrouped(v)
			require.NoError(t, err)
			require.Equal(t, want, text)
			buf, err := f.AppendGrouped([]byte("no="), v)
			require.NoError(t, err)
			require.Equal(t, "no="+want, string(buf))
			back, err := f.DecodeGrouped(text)
			require.NoError(t, err)
			require.Equal(t, v, back)
			require.Equal(t, "20260101", back.Group)

			fromID, err := f.Encode(v.ID)
			back2, errDecode := f.Decode(text)
			if c == dated { // the id tells its group
				require.NoError(t, err)
				require.Equal(t, want, fromID)
				require.NoError(t, errDecode)
				require.Equal(t, v.ID, back2)
			} else {
				require.ErrorIs(t, err, stamp.ErrGrouped)
				require.ErrorIs(t, errDecode, stamp.ErrGrouped)
				_, err = f.Append(nil, v.ID)
				require.ErrorIs(t, err, stamp.ErrGrouped)
			}
		}
	}
}

// What is in a text, by options.
func TestFormats(t *testing.T) {
	manual := clock.NewManual(time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC))
	berlin := loadZone(t, "Europe/Berlin")
	provider := newProvider(t, store.NewMemory(), generators{
		"days": daily(manual, nil), "berlin": daily(manual, berlin),
		"months": {Clock: manual, Group: segment.Group{Period: segment.Month, Layout: "2006/01"}},
		"years":  {Clock: manual, Group: segment.Group{Period: segment.Year}},
		"short":  {Clock: manual, Group: segment.Group{Period: segment.Day, Layout: "060102"}},
		"plain":  {}, "function": {Group: segment.Group{Func: byFunction}},
	})
	undated := newConfig(t, stamp.Options{Source: provider})
	parted := newConfig(t, stamp.Options{Source: newProvider(t, store.NewMemory(), generators{"days": daily(manual, nil)}), Layout: stamp.Layout{Partition: 4, Sequence: 59}})
	dated := newConfig(t, stamp.Options{Source: provider, Layout: dayLayout, Epoch: epoch})
	inBerlin := newConfig(t, stamp.Options{Source: provider, Layout: dayLayout, Epoch: epoch, Zone: berlin})
	partedDated := newConfig(t, stamp.Options{Source: newProvider(t, store.NewMemory(), generators{"days": daily(manual, nil)}), Layout: stamp.Layout{Partition: 4, Time: 16, Sequence: 43}, Epoch: epoch})
	cosid := cosid(t)
	day := stamp.Parts{Time: 33, Sequence: 7}
	for _, tt := range []struct {
		c     *stamp.Config
		name  string
		o     encode.FormatOptions
		parts stamp.Parts
		group string // "" for ids that need none
		want  string
		reads bool
	}{
		{cosid, "", encode.FormatOptions{Base: encode.Readable, Zone: time.FixedZone("", 8*3600)}, stamp.Parts{Time: 70551377924, Node: 5}, "", "20220320133617924-5-0", true},
		{cosid, "", encode.FormatOptions{Base: encode.Readable, Zone: loadZone(t, "Asia/Shanghai")}, stamp.Parts{Time: 70551377924, Node: 5}, "", "20220320133617924-5-0", false},
		{cosid, "", encode.FormatOptions{Base: encode.Radix62, Date: "20060102"}, stamp.Parts{Time: 70551377924, Node: 5}, "", "20220320-0LrHucXALbs", true},
		{cosid, "", encode.FormatOptions{Base: encode.Radix62, Date: "060102"}, stamp.Parts{Time: 70551377924, Node: 5}, "", "220320-0LrHucXALbs", false},
		{cosid, "", encode.FormatOptions{Prefix: "T-"}, stamp.Parts{Time: 70551377924, Node: 5}, "", "T-295913926632165376", true},
		{undated, "plain", encode.FormatOptions{Width: 8, Prefix: "BIZ-"}, stamp.Parts{Sequence: 8}, "", "BIZ-00000008", true},
		{undated, "days", encode.FormatOptions{Group: true, Width: 5}, stamp.Parts{Sequence: 8}, "20260203", "20260203-00008", true},
		{undated, "months", encode.FormatOptions{Group: true}, stamp.Parts{Sequence: 8}, "2026/02", "2026/02-8", true},
		{undated, "years", encode.FormatOptions{Group: true, Base: encode.Radix62}, stamp.Parts{Sequence: 10}, "2026", "2026-0000000000A", true},
		{undated, "short", encode.FormatOptions{Group: true}, stamp.Parts{Sequence: 10}, "260203", "260203-10", false},
		{undated, "function", encode.FormatOptions{Group: true}, stamp.Parts{Sequence: 10}, "eu", "eu-10", true},
		{undated, "days", encode.FormatOptions{Group: true, Undelimited: true}, stamp.Parts{Sequence: 10}, "20260203", "2026020310", false},
		{parted, "days", encode.FormatOptions{Group: true}, stamp.Parts{Partition: 3, Sequence: 10}, "20260203", "20260203-1729382256910270474", true},
		{dated, "days", encode.FormatOptions{Group: true, Width: 8, Prefix: "BIZ-", LeadFirst: true, Suffix: "-X"}, day, "20260203", "20260203-BIZ-00000007-X", true},
		{dated, "days", encode.FormatOptions{Date: "20060102"}, day, "20260203", "20260203-4644337115725831", true},
		{dated, "days", encode.FormatOptions{Date: "2006", Undelimited: true, Base: encode.Radix62}, day, "20260203", "202600LGo9sfJcF", true},
		{dated, "days", encode.FormatOptions{}, day, "20260203", "4644337115725831", true},
		{dated, "days", encode.FormatOptions{Base: encode.Readable}, day, "20260203", "20260203000000000-0-7", true},
		{dated, "short", encode.FormatOptions{Group: true}, day, "260203", "260203-7", false},
		{inBerlin, "berlin", encode.FormatOptions{Date: "20060102", Zone: berlin}, day, "20260203", "20260203-4644337115725831", true},
		{inBerlin, "berlin", encode.FormatOptions{Base: encode.Readable}, day, "20260203", "20260203000000000-0-7", true},
		{partedDated, "days", encode.FormatOptions{Group: true}, stamp.Parts{Partition: 2, Time: 33, Sequence: 7}, "20260203", "20260203-17592186044423", true},
		{partedDated, "days", encode.FormatOptions{Group: true, Base: encode.Radix36}, stamp.Parts{Time: 33, Sequence: 7}, "20260203", "20260203-0000000007", true},
	} {
		f := newFormat(t, tt.name, tt.c, tt.o)
		id, err := tt.c.Compose(tt.parts)
		require.NoError(t, err)
		needsGroup := tt.group != "" && tt.c.Layout().Time == 0
		if tt.group != "" {
			text, err := f.EncodeGrouped(stamp.Grouped{ID: id, Group: tt.group})
			require.NoError(t, err, tt.want)
			require.Equal(t, tt.want, text)
		}
		if !needsGroup {
			text, err := f.Encode(id)
			require.NoError(t, err, tt.want)
			require.Equal(t, tt.want, text)
		}
		require.Equal(t, tt.reads, f.Reads(), tt.want)
		back, err := f.Decode(tt.want)
		grouped, errGrouped := f.DecodeGrouped(tt.want)
		if !tt.reads {
			if !needsGroup {
				require.ErrorIs(t, err, encode.ErrWriteOnly)
			}
			if tt.group != "" {
				require.ErrorIs(t, errGrouped, encode.ErrWriteOnly)
			}
			continue
		}
		if needsGroup {
			require.ErrorIs(t, err, stamp.ErrGrouped)
		} else {
			require.NoError(t, err, tt.want)
			require.Equal(t, id, back)
		}
		if tt.group == "" {
			require.ErrorIs(t, errGrouped, stamp.ErrUngrouped)
			_, err = f.EncodeGrouped(stamp.Grouped{ID: id, Group: "x"})
			require.ErrorIs(t, err, stamp.ErrUngrouped)
			continue
		}
		require.NoError(t, errGrouped, tt.want)
		require.Equal(t, id, grouped.ID)
		require.Equal(t, tt.group, grouped.Group)
		if tt.name == "days" || tt.name == "berlin" {
			require.EqualValues(t, 20454+33, grouped.Day)
		}
	}
}

// No text is read whose date or group isn't that of its number.
func TestTextsMustAgreeWithTheirIDs(t *testing.T) {
	cosid := cosid(t)
	ticket := newFormat(t, "", cosid, encode.FormatOptions{Base: encode.Radix62, Date: "20060102", Prefix: "T-"})
	id, err := ticket.Decode("T-20220320-0LrHucXALbs")
	require.NoError(t, err)
	require.Equal(t, stamp.ID(295913926632165376), id)
	_, err = ticket.Decode("T-20220321-0LrHucXALbs")
	require.ErrorIs(t, err, stamp.ErrMismatch)
	require.ErrorIs(t, err, stamp.ErrSyntax)
	require.Equal(t, &stamp.MismatchError{
		What: "text", Got: "T-20220321-0LrHucXALbs", Want: "T-20220320-0LrHucXALbs", ID: 295913926632165376,
	}, err)
	require.EqualError(t, err, `stamp: text "T-20220321-0LrHucXALbs" isn't that of id 295913926632165376, which is "T-20220320-0LrHucXALbs"`)

	manual := clock.NewManual(start)
	provider := newProvider(t, store.NewMemory(), generators{"days": daily(manual, nil), "years": {Clock: manual, Group: segment.Group{Period: segment.Year, Layout: "20060102"}}})
	dated := newConfig(t, stamp.Options{Source: provider, Layout: stamp.Layout{Time: 10, Sequence: 53}, Epoch: epoch})
	days := newFormat(t, "days", dated, encode.FormatOptions{Group: true, Prefix: "BIZ-", Width: 8})
	years := newFormat(t, "years", dated, encode.FormatOptions{Group: true})
	onDate := newFormat(t, "days", dated, encode.FormatOptions{Date: "20060102"})
	readable := newFormat(t, "days", dated, encode.FormatOptions{Base: encode.Readable})
	for _, tt := range []struct {
		f     *stamp.Format
		text  string
		class error
		also  error
	}{
		{ticket, "20220320-0LrHucXALbs", stamp.ErrPrefix, stamp.ErrPrefix},
		{ticket, "T-20220230-0LrHucXALbs", stamp.ErrSyntax, stamp.ErrSyntax},
		{ticket, "T-20220320-0LrHucXALb", stamp.ErrSyntax, stamp.ErrSyntax},
		{ticket, "T-20220320-zzzzzzzzzzz", stamp.ErrRange, stamp.ErrRange},
		{days, "BIZ-20251231-00000001", stamp.ErrRange, stamp.ErrOutOfRange},     // before the epoch
		{days, "BIZ-20290101-00000001", stamp.ErrRange, stamp.ErrOutOfRange},     // after the end
		{days, "BIZ-20260101-9007199254740992", stamp.ErrRange, stamp.ErrRange},  // above the sequence
		{days, "BIZ-20260101-00000000", stamp.ErrRange, stamp.ErrRange},          // no number
		{days, "BIZ-20260230-00000001", stamp.ErrSyntax, stamp.ErrGroup},         // no date
		{days, "BIZ-2026-01-01-00000001", stamp.ErrSyntax, stamp.ErrSyntax},      // a delimiter too many
		{days, "BIZ-202601010-00000001", stamp.ErrSyntax, stamp.ErrGroup},        // no date
		{years, "20260102-7", stamp.ErrSyntax, stamp.ErrGroup},                   // a date, but none that begins a year
		{onDate, "20260102-7", stamp.ErrSyntax, stamp.ErrMismatch},               // of day 0
		{onDate, "20260101-9223372036854775808", stamp.ErrRange, stamp.ErrRange}, // above the layout
		{readable, "20260101000000001-0-7", stamp.ErrSyntax, stamp.ErrMismatch},  // a time of day
		{readable, "20251231000000000-0-7", stamp.ErrRange, stamp.ErrOutOfRange},
		{readable, "20260101000000000-1-7", stamp.ErrRange, stamp.ErrOutOfRange}, // a node
		{readable, "20260101000000000-0-0", stamp.ErrRange, stamp.ErrOutOfRange}, // id 0
	} {
		id, err := tt.f.Decode(tt.text)
		require.ErrorIs(t, err, tt.class, tt.text)
		require.ErrorIs(t, err, tt.also, tt.text)
		require.Zero(t, id, tt.text)
		if tt.f != ticket {
			v, err := tt.f.DecodeGrouped(tt.text)
			require.ErrorIs(t, err, tt.class, tt.text)
			require.Zero(t, v, tt.text)
		}
	}

	// The same when it is written.
	v, err := stamp.NextGrouped(background, "days", dated)
	require.NoError(t, err)
	v.Group = "20260102"
	for _, f := range []*stamp.Format{days, onDate, readable} {
		_, err = f.EncodeGrouped(v)
		require.Equal(t, &stamp.MismatchError{What: "group", Got: "20260102", Want: "20260101", ID: v.ID}, err)
		dst, err := f.AppendGrouped([]byte("x"), v)
		require.ErrorIs(t, err, stamp.ErrMismatch)
		require.Equal(t, "x", string(dst))
	}
	fifth, err := dated.Compose(stamp.Parts{Time: 4, Sequence: 1})
	require.NoError(t, err)
	_, err = years.Encode(fifth)
	require.ErrorIs(t, err, stamp.ErrGroup, "no year begins there")
	for _, id := range []stamp.ID{0, -5} {
		_, err = days.Encode(id)
		require.ErrorIs(t, err, stamp.ErrRange)
		_, err = days.EncodeGrouped(stamp.Grouped{ID: id, Group: "20260101"})
		require.ErrorIs(t, err, stamp.ErrRange)
	}
}

func TestGroupsThatNoTextHas(t *testing.T) {
	provider := newProvider(t, store.NewMemory(), generators{"days": daily(clock.NewManual(start), nil), "function": {Group: segment.Group{Func: byFunction}}})
	c := newConfig(t, stamp.Options{Source: provider, Layout: stamp.Layout{Sequence: 53}})
	days := newFormat(t, "days", c, encode.FormatOptions{Group: true})
	function := newFormat(t, "function", c, encode.FormatOptions{Group: true, Delimiter: "/"})
	for _, tt := range []struct {
		f     *stamp.Format
		group string
		class error
	}{
		{days, "", stamp.ErrGroup},
		{days, "2026", stamp.ErrGroup},
		{days, "20260230", stamp.ErrGroup},
		{function, "", stamp.ErrGroup},
		{function, "a@b", stamp.ErrGroup},
		{function, "a#b", stamp.ErrGroup},
		{function, "a/b", encode.ErrGroup},
		{function, "ü", encode.ErrGroup},
	} {
		_, err := tt.f.EncodeGrouped(stamp.Grouped{ID: 1, Group: tt.group})
		require.ErrorIs(t, err, tt.class, tt.group)
	}
	for text, f := range map[string]*stamp.Format{"20260230-1": days, "a@b/1": function, "/1": function, "2026-1": days, "20260101-9007199254740992": days} {
		_, err := f.DecodeGrouped(text)
		require.Error(t, err, text)
	}
}

func TestNewFormatRefuses(t *testing.T) {
	manual, berlin := clock.NewManual(start), loadZone(t, "Europe/Berlin")
	provider := newProvider(t, store.NewMemory(), generators{
		"plain": {}, "days": daily(manual, nil), "function": {Group: segment.Group{Func: byFunction}},
		"dashes": {Clock: manual, Group: segment.Group{Period: segment.Month, Layout: "2006-01"}},
		"spaces": {Clock: manual, Group: segment.Group{Period: segment.Month, Layout: "2006 01"}},
	})
	undated := newConfig(t, stamp.Options{Source: provider})
	dated := newConfig(t, stamp.Options{Source: provider, Layout: dayLayout, Epoch: epoch})
	parted := newConfig(t, stamp.Options{Source: provider, Layout: stamp.Layout{Partition: 4, Time: 16, Sequence: 43}, Epoch: epoch})
	o, _ := isolated()
	fromClock := newConfig(t, o)
	o.Unit, o.Epoch = time.Microsecond, epoch.Add(time.Microsecond)
	micro := newConfig(t, o)
	o, _ = partitioned()
	partedClock := newConfig(t, o)
	for text, tt := range map[string]struct {
		id string
		c  *stamp.Config
		o  encode.FormatOptions
	}{
		`a group, but "orders" has none`:                       {"orders", fromClock, encode.FormatOptions{Group: true}},
		`a group, but "plain" has none`:                        {"plain", undated, encode.FormatOptions{Group: true}},
		`no group, but numbers of "days" are unique in theirs`: {"days", undated, encode.FormatOptions{Width: 8}},
		`no group, but numbers of "function" are unique`:       {"function", undated, encode.FormatOptions{}},
		`readable (false) or date "2006", but layout 0/0/0/63`: {"plain", undated, encode.FormatOptions{Date: "2006"}},
		`readable (true) or date "", but layout 0/0/0/63`:      {"plain", undated, encode.FormatOptions{Base: encode.Readable}},
		"the 4 partition bits of layout 4/16/0/43":             {"days", parted, encode.FormatOptions{Base: encode.Readable}},
		"the 3 partition bits of layout 3/48/0/12":             {"orders", partedClock, encode.FormatOptions{Base: encode.Readable}},
		"the unit is 1µs from 2026-01-01T00:00:00.000001Z":     {"orders", micro, encode.FormatOptions{Base: encode.Readable}},
		"zone is Europe/Berlin, Options.Zone is UTC":           {"days", dated, encode.FormatOptions{Date: "20060102", Zone: berlin}},
		"group and date":                  {"days", dated, encode.FormatOptions{Date: "20060102", Group: true}},
		`would end at 4 by delimiter "-"`: {"dashes", dated, encode.FormatOptions{Group: true}},
		"outside 0x21 to 0x7e":            {"spaces", dated, encode.FormatOptions{Group: true}},
		"width 20 is outside":             {"days", dated, encode.FormatOptions{Width: 20}},
	} {
		f, err := stamp.NewFormat(tt.id, tt.c, tt.o)
		require.ErrorIs(t, err, encode.ErrFormat, text)
		require.ErrorContains(t, err, text)
		require.Nil(t, f, text)
	}
	_, err := stamp.NewFormat("days", undated, encode.FormatOptions{Width: 20, Base: encode.Readable, Bits: 64})
	for _, text := range []string{"no group", "readable (true)", "readable takes no width (20)", "64"} {
		require.ErrorContains(t, err, text, "all at once")
	}
	require.ErrorIs(t, err, encode.ErrBits)
}

func TestZeroFormat(t *testing.T) {
	for _, f := range []*stamp.Format{nil, new(stamp.Format)} {
		require.False(t, f.Reads())
		require.ErrorIs(t, second(f.Encode(1)), encode.ErrFormat)
		require.ErrorIs(t, second(f.Append(nil, 1)), encode.ErrFormat)
		require.ErrorIs(t, second(f.EncodeGrouped(stamp.Grouped{ID: 1})), encode.ErrFormat)
		require.ErrorIs(t, second(f.AppendGrouped(nil, stamp.Grouped{ID: 1})), encode.ErrFormat)
		require.ErrorIs(t, second(f.Decode("1")), encode.ErrFormat)
		require.ErrorIs(t, second(f.DecodeGrouped("1")), encode.ErrFormat)
	}
}
