package partition_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/partition"
)

// golden is a line of testdata/xxh64.txt.
type golden struct {
	kind, tenant string
	hash         uint64
}

func readGolden(t *testing.T) []golden {
	t.Helper()
	file, err := os.ReadFile("testdata/xxh64.txt")
	require.NoError(t, err)

	var lines []golden
	for scanner := bufio.NewScanner(bytes.NewReader(file)); scanner.Scan(); {
		line := scanner.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		kind, rest, _ := strings.Cut(line, " ")
		last := strings.LastIndexByte(rest, ' ')
		require.Positive(t, last, line)
		hash, err := strconv.ParseUint(rest[last+1:], 16, 64)
		require.NoError(t, err, line)
		tenant := rest[:last]
		if kind == "text" {
			tenant, err = strconv.Unquote(tenant)
			require.NoError(t, err, line)
		}
		lines = append(lines, golden{kind, tenant, hash})
	}
	return lines
}

func TestGolden(t *testing.T) {
	type name string
	type key []byte

	counts := map[string]int{}
	for _, g := range readGolden(t) {
		counts[g.kind]++
		switch g.kind {
		case "text":
			require.Equal(t, g.hash, referenceXXH64([]byte(g.tenant)), "%q", g.tenant)
			require.Equal(t, g.hash, partition.Of(g.tenant, 64), "%q", g.tenant)
			require.Equal(t, g.hash, partition.Of([]byte(g.tenant), 64), "%q", g.tenant)
			require.Equal(t, g.hash>>60, partition.Of(name(g.tenant), 4), "%q", g.tenant)
			require.Equal(t, g.hash>>63, partition.Of(key(g.tenant), 1), "%q", g.tenant)
		case "int":
			signed, errSigned := strconv.ParseInt(g.tenant, 10, 64)
			if errSigned == nil {
				require.Equal(t, g.hash, partition.OfInt(signed, 64), g.tenant)
				require.Equal(t, g.hash>>60, partition.OfInt(signed, 4), g.tenant)
			}
			unsigned, errUnsigned := strconv.ParseUint(g.tenant, 10, 64)
			if errUnsigned == nil {
				require.Equal(t, g.hash, partition.OfInt(unsigned, 64), g.tenant)
			}
			require.True(t, errSigned == nil || errUnsigned == nil, g.tenant)
			if errSigned != nil {
				signed = int64(unsigned)
			}
			require.Equal(t, g.hash, referenceXXH64(binary.LittleEndian.AppendUint64(nil, uint64(signed))), g.tenant)
		default:
			require.Fail(t, "unknown kind", g.kind)
		}
	}
	require.Greater(t, counts["text"], 20)
	require.Greater(t, counts["int"], 15)
}

func TestOf_everyLength(t *testing.T) {
	text := make([]byte, 600)
	for i := range text {
		text[i] = byte(i*7 + i>>8)
	}
	for n := range text {
		require.Equal(t, referenceXXH64(text[:n]), partition.Of(text[:n], 64), n)
		require.Equal(t, referenceXXH64(text[:n]), partition.Of(string(text[:n]), 64), n)
	}
}

func TestOf_leavesTheBytesAlone(t *testing.T) {
	tenant := bytes.Repeat([]byte("acme"), 100)
	partition.Of(tenant, 4)
	require.Equal(t, bytes.Repeat([]byte("acme"), 100), tenant)
}

func TestOfInt_dependsOnTheNumberOnly(t *testing.T) {
	type tenantID int32
	want := partition.OfInt(int64(-5), 64)
	require.Equal(t, want, partition.OfInt(int8(-5), 64))
	require.Equal(t, want, partition.OfInt(int16(-5), 64))
	require.Equal(t, want, partition.OfInt(tenantID(-5), 64))
	require.Equal(t, want, partition.OfInt(-5, 64))
	require.Equal(t, want, partition.OfInt(uint64(math.MaxUint64-4), 64))

	want = partition.OfInt(200, 64)
	require.Equal(t, want, partition.OfInt(uint8(200), 64))
	require.Equal(t, want, partition.OfInt(uint32(200), 64))
	require.Equal(t, want, partition.OfInt(uintptr(200), 64))

	require.NotEqual(t, partition.Of("7", 64), partition.OfInt(7, 64))
}

func TestBits_limits(t *testing.T) {
	for _, bits := range []int{0, -1, math.MinInt} {
		require.Zero(t, partition.Of("acme", bits))
		require.Zero(t, partition.OfInt(7, bits))
	}
	for _, bits := range []int{65, 1000, math.MaxInt} {
		require.Equal(t, partition.Of("acme", 64), partition.Of("acme", bits))
		require.Equal(t, partition.OfInt(7, 64), partition.OfInt(7, bits))
	}
}

func TestBits_oneMoreSplitsEachPartitionInTwo(t *testing.T) {
	for i := range 1000 {
		tenant := fmt.Sprintf("tenant-%d", i)
		for bits := range 64 {
			require.Equal(t, partition.Of(tenant, bits), partition.Of(tenant, bits+1)>>1)
			require.Equal(t, partition.OfInt(i, bits), partition.OfInt(i, bits+1)>>1)
		}
	}
}

func TestDoesNotAllocate(t *testing.T) {
	text, long := "f47ac10b-58cc-4372-a567-0e02b2c3d479", strings.Repeat("x", 1000)
	bytes, longBytes := []byte(text), []byte(long)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		partition.Of(text, 4)
		partition.Of(long, 4)
		partition.Of(bytes, 4)
		partition.Of(longBytes, 4)
		partition.OfInt(7, 4)
	}))
}

func FuzzOf(f *testing.F) {
	f.Add([]byte(nil), 4)
	f.Add([]byte("acme"), 64)
	f.Add(bytes.Repeat([]byte{0xff}, 129), 65)
	f.Fuzz(func(t *testing.T, tenant []byte, bits int) {
		want := referenceXXH64(tenant)
		require.Equal(t, want, partition.Of(tenant, 64))
		require.Equal(t, want, partition.Of(string(tenant), 64))
		if bits > 0 && bits < 64 {
			require.Equal(t, want>>(64-bits), partition.Of(tenant, bits))
			require.Less(t, partition.Of(tenant, bits), uint64(1)<<bits)
		}
	})
}

func BenchmarkOf(b *testing.B) {
	text := "f47ac10b-58cc-4372-a567-0e02b2c3d479"
	for b.Loop() {
		partition.Of(text, 4)
	}
}

func BenchmarkOfInt(b *testing.B) {
	for n := 0; b.Loop(); n++ {
		partition.OfInt(n, 4)
	}
}
