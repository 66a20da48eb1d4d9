package encode

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzFormat checks malleability under any options: a text that reads is the
// text that its fields are written as, and fields that are written are read
// back.
func FuzzFormat(f *testing.F) {
	const (
		unpadded = 1 << iota
		group
		undelimited
		leadFirst
		zoned
	)
	dates := []string{"", "2006", "200601", "20060102", "060102"}
	f.Add(uint8(Radix10), 8, 0, uint8(group), uint8(0), "", "BIZ-", "", 0, "BIZ-20260101-00000001", "20260101", uint64(1), int64(0), uint64(0), uint64(0))
	f.Add(uint8(Radix62), 0, 63, uint8(group|leadFirst), uint8(0), "--", "B", "!", 0, "a--B00000000001!", "a-", uint64(1)<<63, int64(0), uint64(0), uint64(0))
	f.Add(uint8(Radix36), 2, 53, uint8(unpadded), uint8(0), "", "", "0", 0, "ZZ0", "", uint64(1295), int64(0), uint64(0), uint64(0))
	f.Add(uint8(Radix10), 0, 0, uint8(undelimited|zoned), uint8(3), "", "B", "", 8*60*60, "B202601011", "", uint64(7), int64(1784842980000), uint64(0), uint64(0))
	f.Add(uint8(Readable), 0, 0, uint8(zoned), uint8(0), "", "", "", 8*60*60, "20220320133617924-5-0", "", uint64(0), int64(1647754577924), uint64(5), uint64(0))
	f.Fuzz(func(t *testing.T, base uint8, width, bits int, flags, date uint8, delimiter, prefix, suffix string, offset int, given, name string, number uint64, milli int64, node, sequence uint64) {
		o := FormatOptions{
			Base: Base(base), Width: width, Bits: bits, Unpadded: flags&unpadded > 0,
			Group: flags&group > 0, Date: dates[int(date)%len(dates)],
			Delimiter: delimiter, Undelimited: flags&undelimited > 0, LeadFirst: flags&leadFirst > 0,
			Prefix: prefix, Suffix: suffix,
		}
		if flags&zoned > 0 {
			o.Zone = time.FixedZone("", offset%(24*60*60))
		}
		format, err := NewFormat(o)
		if err != nil {
			require.Nil(t, format)
			return
		}
		decoded, err := format.Decode(given)
		if err == nil {
			again, err := format.Encode(decoded)
			require.NoError(t, err, "%q read as %+v", given, decoded)
			require.Equal(t, given, again)
		} else {
			require.Zero(t, decoded)
			require.NotEmpty(t, err.Error())
		}

		fields := Fields{Number: number, Group: name, Time: time.UnixMilli(milli), Node: node, Sequence: sequence}
		text, err := format.Encode(fields)
		if err != nil || !format.Reads() {
			return
		}
		got, err := format.Decode(text)
		require.NoError(t, err, "%q of %+v", text, fields)
		require.Equal(t, name, got.Group)
		switch {
		case format.readable:
			require.True(t, fields.Time.Equal(got.Time))
			require.Equal(t, [2]uint64{node, sequence}, [2]uint64{got.Node, got.Sequence})
			require.Zero(t, got.Number)
		case format.date != "":
			local := fields.Time.In(format.zone)
			require.Equal(t, local.Format(format.date), got.Time.Format(format.date))
			require.Equal(t, number, got.Number)
		default:
			require.Equal(t, Fields{Number: number, Group: name}, got)
		}
		again, err := format.Encode(got)
		require.NoError(t, err)
		require.Equal(t, text, again)
	})
}
