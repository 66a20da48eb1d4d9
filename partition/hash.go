package partition

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/exp/constraints"
)

// Of returns the partition of a tenant named by a string or by bytes: the top
// bits of the XXH64 of the bytes, with seed 0. The result is from 0 to
// 2^bits-1; bits of 0 or less give 0, bits above 64 count as 64.
//
// Text is hashed byte by byte, as it stands: "Acme" and "acme" are two
// tenants, and so are two Unicode forms of one name. A UUID as text and as its
// 16 bytes are two as well. The mapping never changes. Of doesn't allocate and
// is safe for concurrent use.
func Of[T ~string | ~[]byte](tenant T, bits int) uint64 {
	// A conversion between string and []byte would allocate for one of the two.
	var buffer [128]byte
	if len(tenant) <= len(buffer) {
		return top(xxhash.Sum64(append(buffer[:0], tenant...)), bits)
	}
	var digest xxhash.Digest
	digest.Reset()
	for len(tenant) > 0 {
		n := copy(buffer[:], tenant)
		_, _ = digest.Write(buffer[:n]) // never fails
		tenant = tenant[n:]
	}
	return top(digest.Sum64(), bits)
}

// OfInt returns the partition of a tenant named by a number: as Of, of the
// number's 64 bits in 8 bytes, little-endian, a negative one in two's
// complement. So equal numbers are one tenant whatever their type, as far as
// they fit an int64. The number 7 and the text "7" are two tenants.
//
// The mapping never changes. OfInt doesn't allocate and is safe for concurrent
// use.
func OfInt[T constraints.Integer](tenant T, bits int) uint64 {
	var buffer [8]byte
	binary.LittleEndian.PutUint64(buffer[:], uint64(tenant)) // extends the sign of a signed T
	return top(xxhash.Sum64(buffer[:]), bits)
}

func top(hash uint64, bits int) uint64 {
	if bits <= 0 {
		return 0
	}
	return hash >> (64 - uint(min(bits, 64)))
}
