package partition_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/partition"
)

const (
	tenants = 100_000

	// With 15 degrees of freedom, an even random spread is above this less than
	// once in 10,000 tries. The tenants are fixed, so no run differs.
	chiSquareBound = 50
)

// chiSquare is how far the spread of the tenants over 16 partitions is from an
// even one.
func chiSquare(of func(tenant int) uint64) float64 {
	var counts [16]int
	for tenant := range tenants {
		counts[of(tenant)]++
	}
	const even = float64(tenants) / float64(len(counts))
	sum := 0.0
	for _, n := range counts {
		sum += (float64(n) - even) * (float64(n) - even) / even
	}
	return sum
}

func TestTenantsSpreadEvenly(t *testing.T) {
	tests := []struct {
		name string
		of   func(tenant int) uint64
	}{
		{"numbers in a row", func(n int) uint64 { return partition.OfInt(n, 4) }},
		{"numbers 16 apart", func(n int) uint64 { return partition.OfInt(16*n, 4) }},
		{"numbers 2^32 apart", func(n int) uint64 { return partition.OfInt(uint64(n)<<32, 4) }},
		{"numbers as text", func(n int) uint64 { return partition.Of(fmt.Sprint(n), 4) }},
		{"names with a number", func(n int) uint64 { return partition.Of(fmt.Sprintf("tenant-%06d", n), 4) }},
		{"mail addresses", func(n int) uint64 { return partition.Of(fmt.Sprintf("user%d@mail.example.com", n), 4) }},
		{"bytes", func(n int) uint64 {
			return partition.Of(binary.BigEndian.AppendUint32(make([]byte, 12), uint32(n)), 4)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Less(t, chiSquare(tt.of), float64(chiSquareBound))
		})
	}
}

func TestChiSquare_seesUnevenSpreads(t *testing.T) {
	// A tenth of the last partition's tenants in the first instead.
	require.Greater(t, chiSquare(func(n int) uint64 {
		if n%160 == 15 {
			return 0
		}
		return uint64(n % 16)
	}), float64(chiSquareBound))

	// The top bits of a number itself, unhashed.
	require.Greater(t, chiSquare(func(n int) uint64 { return uint64(n) >> 13 }), float64(chiSquareBound))
}
