package stamp_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/stamp"
)

var texts = []string{
	"", "0", "1", "01", "-1", "+1", "1e3", "1.0", " 1", "9223372036854775807", "9223372036854775808", "\"1\"", "null",
	"[1]", "ord_00000000001", "ord_AzL8n0Y58m7", "zzzzzzzzzzz", "\xff", "\"\\u0031\"", "usr_", "9007199254740993",
}

func seedTexts(f *testing.F) {
	f.Helper()
	for _, text := range texts {
		f.Add([]byte(text))
	}
}

// What is read as an id is written as the same text, or, for a JSON number,
// the same digits as a string.
func FuzzIDJSON(f *testing.F) {
	seedTexts(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		var direct stamp.ID
		directErr := direct.UnmarshalJSON(data)
		const before = stamp.ID(7)
		id := before
		if err := json.Unmarshal(data, &id); err != nil {
			require.True(t, id == 0 || id == before, "after an error: 0, or untouched by a document that is no JSON")
			return
		}
		if id == before && directErr == nil && direct == 0 {
			return // null
		}
		require.True(t, id.Valid())
		text, err := json.Marshal(id)
		require.NoError(t, err)
		if directErr == nil && data[0] == '"' {
			require.Equal(t, string(data), string(text))
		} else if directErr == nil {
			require.Equal(t, `"`+string(data)+`"`, string(text))
		}
	})
}

func FuzzIDScan(f *testing.F) {
	seedTexts(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		a, b := stamp.ID(7), stamp.ID(7)
		errA, errB := a.Scan(data), b.Scan(string(data))
		require.Equal(t, errA == nil, errB == nil)
		require.Equal(t, a, b)
		require.Equal(t, errA == nil, a.Valid())
		if errA == nil {
			require.Equal(t, string(data), a.String())
			value, err := a.Value()
			require.NoError(t, err)
			require.EqualValues(t, a, value)
		} else {
			require.Zero(t, a)
		}
	})
}

func FuzzIDText(f *testing.F) {
	seedTexts(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		id := stamp.ID(7)
		if err := id.UnmarshalText(data); err != nil {
			require.Zero(t, id)
			return
		}
		text, err := id.MarshalText()
		require.NoError(t, err)
		require.Equal(t, string(data), string(text))
	})
}

func FuzzConfigDecode(f *testing.F) {
	for _, text := range texts {
		for codec := range uint8(10) {
			f.Add(codec, text)
		}
	}
	f.Fuzz(func(t *testing.T, codec uint8, text string) {
		for _, layout := range []stamp.Layout{{Time: 51, Sequence: 12}, {Partition: 2, Time: 39, Sequence: 12}} {
			for _, prefix := range []string{"", "ord_"} {
				o, _ := isolated()
				o.Layout, o.Codec, o.Prefix = layout, encode.Base62+encode.Standard(codec%10), prefix
				c := newConfig(t, o)
				id, err := c.Decode(text)
				fromBytes, errBytes := c.DecodeBytes([]byte(text))
				require.Equal(t, err == nil, errBytes == nil)
				require.Equal(t, id, fromBytes)
				if err != nil {
					require.Zero(t, id)
					continue
				}
				again, err := c.Encode(id)
				require.NoError(t, err)
				require.Equal(t, text, again)
				_, err = c.Unpack(id)
				require.NoError(t, err)
			}
		}
	})
}
