package stamp_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/stamp"
)

// rows reads tab-separated vectors; the first line is a comment.
func rows(t *testing.T, name string) [][]string {
	t.Helper()
	data, err := os.ReadFile("../encode/testdata/" + name)
	require.NoError(t, err)
	var list [][]string
	for _, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		if !strings.HasPrefix(line, "#") {
			list = append(list, strings.Split(line, "\t"))
		}
	}
	require.NotEmpty(t, list)
	return list
}

func TestVectorsOfTexts(t *testing.T) {
	columns := []encode.Standard{encode.Base62, encode.Base58, encode.Base32, encode.Base36, encode.Base62Compact}
	for i, codec := range columns {
		for _, prefix := range []string{"", "ord_"} {
			c := withText(t, codec, prefix)
			for _, row := range rows(t, "radix.tsv") {
				require.Len(t, row, 1+len(columns))
				id, err := strconv.ParseInt(row[0], 10, 64)
				require.NoError(t, err)
				want := prefix + row[1+i]
				if id == 0 { // a number with a text, but no id
					_, err := c.Encode(0)
					require.ErrorIs(t, err, stamp.ErrRange)
					_, err = c.Decode(want)
					require.ErrorIs(t, err, stamp.ErrRange)
					continue
				}
				text, err := c.Encode(stamp.ID(id))
				require.NoError(t, err)
				require.Equal(t, want, text)
				buf, err := c.AppendEncode([]byte("x"), stamp.ID(id))
				require.NoError(t, err)
				require.Equal(t, "x"+want, string(buf))
				got, err := c.Decode(want)
				require.NoError(t, err)
				require.EqualValues(t, id, got)
				got, err = c.DecodeBytes([]byte(want))
				require.NoError(t, err)
				require.EqualValues(t, id, got)
			}
		}
	}
}

func TestVectorsOfInvalidTexts(t *testing.T) {
	codecs := map[string]encode.Codec{}
	for _, codec := range []encode.Standard{encode.Base62, encode.Base58, encode.Base36, encode.Base32, encode.Hex, encode.Decimal} {
		codecs[codec.Name()] = codec
	}
	classes := map[string]error{"syntax": stamp.ErrSyntax, "range": stamp.ErrRange}
	for _, row := range rows(t, "invalid.tsv") {
		require.Len(t, row, 3)
		require.Contains(t, codecs, row[0])
		require.Contains(t, classes, row[2])
		for _, prefix := range []string{"", "ord_"} {
			c := withText(t, codecs[row[0]], prefix)
			id, err := c.Decode(prefix + row[1])
			require.ErrorIs(t, err, classes[row[2]], "%q", row)
			require.Zero(t, id)
			id, err = c.DecodeBytes([]byte(prefix + row[1]))
			require.ErrorIs(t, err, classes[row[2]], "%q", row)
			require.Zero(t, id)
		}
	}
}
