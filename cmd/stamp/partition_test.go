package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/partition"
)

func TestPartitionGolden(t *testing.T) {
	for name, test := range map[string]struct{ input, args string }{
		"partition":       {"", "partition --layout 4/41/6/12 acme globex"},
		"partition_bits":  {"", "partition --bits 4 acme globex"},
		"partition_int":   {"", "partition --bits 4 --int -- 7 -7 18446744073709551615"},
		"partition_lines": {"acme\r\n\n acme\nACME", "partition --layout 4/41/6/12"},
		"partition_json":  {"acme\n\"quoted\"\n", "partition --json --layout 4/41/6/12"},
	} {
		t.Run(name, func(t *testing.T) { requireGolden(t, name, answer(t, test.input, test.args)) })
	}
}

// The numbers are the library's, for text, for signed and for unsigned numbers.
func TestPartitionsAreTheLibrarys(t *testing.T) {
	layout := bits.Layout{Partition: 10, Time: 41, Sequence: 12}
	expect := func(tenant string, p uint64) string {
		r, err := layout.PartitionRange(p)
		require.NoError(t, err)
		return fmt.Sprintf("%s\t%d\t%d\t%d\n", tenant, p, r.First, r.Last)
	}
	var names, wantNames, numbers, wantNumbers strings.Builder
	for i := range int64(1000) {
		name := strconv.FormatInt(i, 36)
		names.WriteString(name + "\n")
		wantNames.WriteString(expect(name, partition.Of(name, 10)))

		signed, unsigned := i-500, uint64(1<<64-1)-uint64(i)
		_, _ = fmt.Fprintln(&numbers, signed)
		_, _ = fmt.Fprintln(&numbers, unsigned)
		wantNumbers.WriteString(expect(strconv.FormatInt(signed, 10), partition.OfInt(signed, 10)))
		wantNumbers.WriteString(expect(strconv.FormatUint(unsigned, 10), partition.OfInt(unsigned, 10)))
	}
	require.Equal(t, wantNames.String(), answer(t, names.String(), "partition --layout 10/41/0/12"))
	require.Equal(t, wantNumbers.String(), answer(t, numbers.String(), "partition --int --layout 10/41/0/12"))
}

func TestRefusedTenantsAreNamed(t *testing.T) {
	s, out, message := fixed("7\n007\n+7\nacme\n18446744073709551616\n" + strings.Repeat("7", maxTenant+1) + "\n8\n")
	require.Equal(t, exitFailed, run([]string{"partition", "--int", "--bits", "4"}, s))
	require.Equal(t, 2, strings.Count(out.String(), "\n"))
	for _, want := range []string{`line 2: tenant "007"`, `line 3: tenant "+7"`, `line 4: tenant "acme"`, "line 5: ", "line 6: 65537 bytes"} {
		require.Contains(t, message.String(), want)
	}
}

func TestTenantsThatJSONCannotHold(t *testing.T) {
	s, out, message := fixed("\xff\na\tb<\n")
	require.Equal(t, exitFailed, run([]string{"partition", "--json", "--bits", "4"}, s))
	require.Contains(t, message.String(), `line 1: tenant "\xff" is not UTF-8`)
	var got map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	require.Equal(t, map[string]any{"tenant": "a\tb<", "partition": float64(partition.Of("a\tb<", 4))}, got)
}

func TestPartitionUsage(t *testing.T) {
	requireUsage(t, map[string]string{
		"partition acme":                              "the layout 0/41/7/15 has no partition bits",
		"partition --preset cosid acme":               "no partition bits",
		"partition --bits 0 acme":                     "--bits 0, want 1 to 62",
		"partition --bits 63 acme":                    "--bits 63",
		"partition --bits 4 --layout 4/41/6/12 acme":  "--bits excludes --layout",
		"partition --bits 4 --preset snowflake acme":  "--bits excludes",
		"partition --layout 4/41/6/13 acme":           "widths add up to 64 bits",
		"partition --layout 4/41/6/12 --epoch 0 acme": "--epoch",
	})
}
