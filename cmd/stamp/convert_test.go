package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/encode"
)

func TestConvertGolden(t *testing.T) {
	for name, test := range map[string]struct{ input, args string }{
		"encode":       {"", "encode 7001650274336806 1 9223372036854775807"},
		"encode_json":  {"", "encode --json --prefix ord_ 7001650274336806"},
		"encode_hex53": {"", "encode --layout 0/41/5/7 --codec hex 1 9007199254740991"},
		"encode_lines": {"1\r\n\n 2 \n3", "encode --codec base36"},
		"decode":       {"", "decode 00W4Byj77wc 00000000001 AzL8n0Y58m7"},
		"decode_json":  {"ord_00W4Byj77wc\n", "decode --json --prefix ord_"},
	} {
		t.Run(name, func(t *testing.T) { requireGolden(t, name, answer(t, test.input, test.args)) })
	}
}

// What encode prints, decode turns back into the same ids, in every text form
// and as the library writes it.
func TestDecodeReadsWhatEncodePrints(t *testing.T) {
	for _, layout := range []bits.Layout{bits.Default().Layout, {Time: 41, Node: 5, Sequence: 7}} {
		for _, codec := range codecs() {
			var ids, texts strings.Builder
			form, err := encode.NewText(codec, "a_", layout.Width())
			require.NoError(t, err)
			for shift := range layout.Width() {
				id := uint64(layout.MaxID()) >> shift
				_, _ = fmt.Fprintln(&ids, id)
				text, err := form.Encode(id)
				require.NoError(t, err)
				_, _ = fmt.Fprintln(&texts, text)
			}
			flags := fmt.Sprintf(" --prefix a_ --codec %v --layout %v", codec, layout)
			require.Equal(t, texts.String(), answer(t, ids.String(), "encode"+flags))
			require.Equal(t, ids.String(), answer(t, texts.String(), "decode"+flags))
		}
	}
}

func TestRefusedConversionsAreNamedAndTheOthersPrinted(t *testing.T) {
	s, out, message := fixed("1\n007\n-5\n9223372036854775808\n0\n" + strings.Repeat("1", 2000) + "\n2\n")
	require.Equal(t, exitFailed, run([]string{"encode"}, s))
	require.Equal(t, "00000000001\n00000000002\n", out.String())
	messages := strings.Split(strings.TrimSpace(message.String()), "\n")
	require.Len(t, messages, 5)
	for i, line := range messages {
		require.Contains(t, line, fmt.Sprintf("stamp: line %d: ", i+2))
	}
}

// No other form is recognised: digits alone are no id, nor is another prefix
// taken off.
func TestDecodeIsStrict(t *testing.T) {
	for args, want := range map[string]string{
		"7001650274336806":             "argument 1: encode: base62 text",
		"ord_00W4Byj77wc":              "argument 1: encode: base62 text",
		"--prefix a_ 00W4Byj77wc":      `lacks the prefix "a_"`,
		"--prefix a_ b_00W4Byj77wc":    `lacks the prefix "a_"`,
		"--codec base36-lower 000000Z": "argument 1: encode: base36-lower text",
		"zzzzzzzzzzz":                  "9223372036854775807",
		"00000000000":                  "outside 1",
		"--layout 0/41/5/7 fzzzzzzzz":  "argument 1: encode: base62 text",
	} {
		s, out, message := fixed("")
		require.Equal(t, exitFailed, run(strings.Fields("decode "+args), s), args)
		require.Empty(t, out.String())
		require.Contains(t, message.String(), want, args)
	}
}

func TestConvertUsage(t *testing.T) {
	requireUsage(t, map[string]string{
		"encode --codec rot13 1":      "rot13",
		"encode --prefix Ord_ 1":      `"Ord_"`,
		"decode --preset x 1":         "there are stamp, snowflake, cosid",
		"decode --layout 4/41/6/13 1": "widths add up to 64 bits",
		"decode --epoch 0 1":          "--epoch",
	})
}
