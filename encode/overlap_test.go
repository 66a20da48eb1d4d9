package encode_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/encode"
)

// Overlaps must say yes wherever a text of one form is read by the other, over
// all numbers of small widths.
func TestOverlapsMissesNoText(t *testing.T) {
	sqids := func(alphabet string) encode.Codec {
		c, err := encode.NewSqids(encode.SqidsOptions{Alphabet: alphabet, Blocklist: []string{}})
		require.NoError(t, err)
		return c
	}
	codecs := []encode.Codec{
		encode.Base62, encode.Base58, encode.Base36Lower, encode.Base32, encode.Hex, encode.Decimal,
		encode.DecimalPadded, encode.Base62Compact, encode.Base58Compact, sqids("ab_"), sqids("xyz"),
	}
	var forms []encode.Text
	for _, codec := range codecs {
		for _, prefix := range []string{"", "a_", "a_b_", "ab_"} {
			for _, bits := range []int{4, 9} {
				form, err := encode.NewText(codec, prefix, bits)
				require.NoError(t, err)
				forms = append(forms, form)
			}
		}
	}
	met, apart := 0, 0
	for i := range forms {
		for j := range forms {
			overlaps := forms[i].Overlaps(&forms[j])
			require.Equal(t, overlaps, forms[j].Overlaps(&forms[i]))
			if overlaps {
				met++
				continue
			}
			apart++
			for n := range uint64(1<<9 - 1) {
				if text, err := forms[i].Encode(n + 1); err == nil {
					_, err := forms[j].Decode(text)
					require.Error(t, err, "%q", text)
				}
			}
		}
	}
	require.Positive(t, met)
	require.Positive(t, apart)
}

func TestOverlapsKnowsPrefixesFromDigits(t *testing.T) {
	form := func(c encode.Codec, prefix string) *encode.Text {
		text, err := encode.NewText(c, prefix, 63)
		require.NoError(t, err)
		return &text
	}
	require.True(t, form(encode.Base62, "a_").Overlaps(form(encode.Base58, "a_")))
	require.False(t, form(encode.Base62, "a_").Overlaps(form(encode.Hex, "a_")), "another length")
	require.False(t, form(encode.Base62, "a_").Overlaps(form(encode.Base62, "a_b_")))
	require.False(t, form(encode.Base62Compact, "").Overlaps(form(encode.Base62Compact, "a_")))
	require.False(t, form(encode.Base62, "a_").Overlaps(&encode.Text{}), "which reads nothing")
}
