package stamp_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

// formats are one of each kind that reads.
func formats(t testing.TB) map[string]*stamp.Format {
	manual := clock.NewManual(start)
	provider := newProvider(t, store.NewMemory(), generators{
		"plain": {}, "days": daily(manual, nil), "function": {Group: segment.Group{Func: byFunction}},
		"months": {Clock: manual, Group: segment.Group{Period: segment.Month, Layout: "2006/01"}},
	})
	config := func(o stamp.Options) *stamp.Config {
		o.Source = provider
		c, err := stamp.NewConfig(o)
		require.NoError(t, err)
		return c
	}
	undated := config(stamp.Options{Layout: stamp.Layout{Sequence: 53}})
	dated := config(stamp.Options{Layout: stamp.Layout{Time: 10, Sequence: 53}, Epoch: epoch})
	parted := config(stamp.Options{Layout: stamp.Layout{Partition: 4, Time: 9, Sequence: 50}, Epoch: epoch})
	cosid := cosid(t)
	return map[string]*stamp.Format{
		"clock, date":     newFormat(t, "", cosid, encode.FormatOptions{Base: encode.Radix62, Date: "20060102", Prefix: "T-"}),
		"clock, readable": newFormat(t, "", cosid, encode.FormatOptions{Base: encode.Readable, Zone: time.FixedZone("", 8*3600)}),
		"clock, year":     newFormat(t, "", cosid, encode.FormatOptions{Date: "2006", Undelimited: true}),
		"plain":           newFormat(t, "plain", undated, encode.FormatOptions{Width: 8, Prefix: "BIZ-"}),
		"days":            newFormat(t, "days", undated, encode.FormatOptions{Group: true, Prefix: "BIZ-", Width: 8}),
		"function":        newFormat(t, "function", undated, encode.FormatOptions{Group: true}),
		"dated":           newFormat(t, "days", dated, encode.FormatOptions{Group: true, Prefix: "BIZ-", Width: 8}),
		"dated, date":     newFormat(t, "days", dated, encode.FormatOptions{Date: "20060102"}),
		"dated, readable": newFormat(t, "days", dated, encode.FormatOptions{Base: encode.Readable}),
		"parted":          newFormat(t, "days", parted, encode.FormatOptions{Group: true, LeadFirst: true, Suffix: "-X"}),
		"months":          newFormat(t, "months", parted, encode.FormatOptions{Group: true, Base: encode.Radix36}),
	}
}

// What is read is written as the same text, and is an id of its layout.
func FuzzFormatDecode(f *testing.F) {
	for _, text := range []string{
		"", "T-20220320-0LrHucXALbs", "T-20220321-0LrHucXALbs", "20220320133617924-5-0", "2022295913926632165376",
		"BIZ-00000008", "BIZ-20260101-00000001", "BIZ-20260230-00000001", "eu-10", "a@b-1", "20260203-17592186044423-X",
		"20260102-9007199254740999", "20260101000000000-0-7", "2026/02-00000000AB", "2026/02-ZZZZZZZZZZZ", "BIZ-20251231-00000001",
	} {
		f.Add(text)
	}
	all := formats(f)
	f.Fuzz(func(t *testing.T, text string) {
		for name, format := range all {
			require.True(t, format.Reads(), name)
			if id, err := format.Decode(text); err != nil {
				require.Zero(t, id, name)
			} else {
				again, err := format.Encode(id)
				require.NoError(t, err, name)
				require.Equal(t, text, again, name)
			}
			if v, err := format.DecodeGrouped(text); err != nil {
				require.Zero(t, v, name)
			} else {
				require.True(t, v.ID.Valid(), name)
				again, err := format.EncodeGrouped(v)
				require.NoError(t, err, name)
				require.Equal(t, text, again, name)
			}
		}
	})
}

// Ids of any parts come back from their texts.
func FuzzFormatIDs(f *testing.F) {
	f.Add(int64(1))
	f.Add(int64(295913926632165376))
	f.Add(int64(33<<53 | 7))
	f.Add(int64(1<<63 - 1))
	all := formats(f)
	f.Fuzz(func(t *testing.T, n int64) {
		for name, format := range all {
			text, err := format.Encode(stamp.ID(n))
			if err != nil {
				require.Empty(t, text, name)
				continue
			}
			id, err := format.Decode(text)
			require.NoError(t, err, "%s: %q", name, text)
			require.Equal(t, stamp.ID(n), id, name)
		}
	})
}
