package partition_test

import (
	"encoding/binary"
	"math/bits"
)

// referenceXXH64 is XXH64 with seed 0, in the plainest form that the
// definition allows:
// https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
func referenceXXH64(input []byte) uint64 {
	// The primes are variables since the definition lets their sums wrap.
	var (
		prime1 uint64 = 0x9E3779B185EBCA87
		prime2 uint64 = 0xC2B2AE3D27D4EB4F
		prime3 uint64 = 0x165667B19E3779F9
		prime4 uint64 = 0x85EBCA77C2B2AE63
		prime5 uint64 = 0x27D4EB2F165667C5
	)
	round := func(lane, word uint64) uint64 {
		return bits.RotateLeft64(lane+word*prime2, 31) * prime1
	}

	hash := prime5
	rest := input
	if len(input) >= 32 {
		lanes := [4]uint64{prime1 + prime2, prime2, 0, -prime1}
		for ; len(rest) >= 32; rest = rest[32:] {
			for i := range lanes {
				lanes[i] = round(lanes[i], binary.LittleEndian.Uint64(rest[8*i:]))
			}
		}
		hash = bits.RotateLeft64(lanes[0], 1) + bits.RotateLeft64(lanes[1], 7) +
			bits.RotateLeft64(lanes[2], 12) + bits.RotateLeft64(lanes[3], 18)
		for _, lane := range lanes {
			hash = (hash^round(0, lane))*prime1 + prime4
		}
	}
	hash += uint64(len(input))

	for ; len(rest) >= 8; rest = rest[8:] {
		hash ^= round(0, binary.LittleEndian.Uint64(rest))
		hash = bits.RotateLeft64(hash, 27)*prime1 + prime4
	}
	if len(rest) >= 4 {
		hash ^= uint64(binary.LittleEndian.Uint32(rest)) * prime1
		hash = bits.RotateLeft64(hash, 23)*prime2 + prime3
		rest = rest[4:]
	}
	for _, b := range rest {
		hash ^= uint64(b) * prime5
		hash = bits.RotateLeft64(hash, 11) * prime1
	}

	hash = (hash ^ hash>>33) * prime2
	hash = (hash ^ hash>>29) * prime3
	return hash ^ hash>>32
}
