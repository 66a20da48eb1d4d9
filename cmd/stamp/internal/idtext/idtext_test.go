package idtext_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stamp/internal/idtext"
	"github.com/stampid/go-stamp/encode"
)

func TestRead(t *testing.T) {
	type options struct {
		codec  encode.Codec
		prefix string
	}
	tests := []struct {
		options
		text string
		want idtext.Result
		err  string
	}{
		{text: "1", want: idtext.Result{ID: 1, Text: "00000000001", Form: "recognised as decimal, shown in base62"}},
		{text: "0000000000z", want: idtext.Result{ID: 61, Text: "0000000000z", Form: "recognised as base62"}},
		{text: "a_b1_0000000000z", want: idtext.Result{ID: 61, Text: "a_b1_0000000000z", Form: `recognised as base62 after the prefix "a_b1_"`}},
		{text: "00000000001", err: "digits alone are taken as decimal"},
		{text: "9223372036854775808", err: "outside 1 to 9223372036854775807"},
		{text: "A_0000000000z", err: `prefix "A_"`},
		{text: "_0000000000z", err: `prefix "_"`},
		{text: "a_", err: "recognised as base62"},
		{text: "z", err: "recognised as base62"},
		{text: "zzzzzzzzzzz", err: "outside"},
		{options{nil, "o_"}, "o_0000000000z", idtext.Result{ID: 61, Text: "o_0000000000z", Form: `recognised as base62 after the prefix "o_"`}, ""},
		{options{nil, "o_"}, "61", idtext.Result{ID: 61, Text: "o_0000000000z", Form: "recognised as decimal, shown in base62"}, ""},
		{options{nil, "o_"}, "p_0000000000z", idtext.Result{}, `lacks the prefix "o_"`},
		{options{encode.Hex, ""}, "000000000000003d", idtext.Result{ID: 61, Text: "000000000000003d"}, ""},
		{options{encode.Hex, "o_"}, "o_000000000000003d", idtext.Result{ID: 61, Text: "o_000000000000003d"}, ""},
		{options{encode.Hex, ""}, "61", idtext.Result{}, "hex text"},
		{options{encode.Decimal, ""}, "61", idtext.Result{ID: 61, Text: "61"}, ""},
	}
	for _, test := range tests {
		t.Run(test.prefix+":"+test.text, func(t *testing.T) {
			r, err := idtext.NewReader(test.codec, test.prefix, 63)
			require.NoError(t, err)
			got, err := r.Read([]byte(test.text))
			if test.err != "" {
				require.ErrorContains(t, err, test.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		})
	}
}

// One id leaves nothing behind that changes how the next one is read.
func TestReadInAnyOrder(t *testing.T) {
	r, err := idtext.NewReader(nil, "", 63)
	require.NoError(t, err)
	for _, text := range []string{"a_0000000000z", "61", "0000000000z", "b_0000000000z", "61", "!", "61"} {
		got, err := r.Read([]byte(text))
		if text == "!" {
			require.Error(t, err)
			continue
		}
		require.NoError(t, err, text)
		require.EqualValues(t, 61, got.ID)
		if text == "61" {
			require.Equal(t, "0000000000z", got.Text)
		}
	}
}

func TestUnusablePrefix(t *testing.T) {
	_, err := idtext.NewReader(nil, "no", 63)
	require.ErrorIs(t, err, encode.ErrPrefix)
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"1", "a_0000000000z", "_", "", "0", strings.Repeat("9", 40), "é_\x00"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := idtext.NewReader(nil, "", 63)
		require.NoError(t, err)
		got, err := r.Read(text)
		if err != nil {
			return
		}
		require.Positive(t, got.ID)
		again, err := r.Read([]byte(got.Text))
		if strings.Trim(got.Text, "0123456789") != "" {
			require.NoError(t, err)
			require.Equal(t, got.ID, again.ID)
		}
	})
}
