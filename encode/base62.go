package encode

import (
	"encoding/binary"
	"slices"
	"sync"
	"unsafe"
)

const (
	base62Width   = 11
	base62MinBits = 60 // the first to need 11 digits

	pow62x2 = 62 * 62
	pow62x4 = pow62x2 * pow62x2
	pow62x6 = pow62x4 * pow62x2
)

// pairs62 holds the two digits of each number below 62^2, the first one in
// the low byte. It is longer than that, so that a masked index needs no check.
var pairs62 struct {
	once   sync.Once
	digits [4096]uint16
}

// base62 is Base62 for the widths that need all 11 digits. It writes and reads
// what fixed would, several times as fast: ids in this form are made and read
// in every request.
type base62 struct{ largest uint64 }

// base62Coders has the one coder of each such width, so that coders of equal
// widths are equal, and an interface holds it without a wrapper around calls.
var base62Coders = [...]base62{{1<<60 - 1}, {1<<61 - 1}, {1<<62 - 1}, {1<<63 - 1}}

func newBase62(bits int) *base62 {
	digits62.ready()
	pairs62.once.Do(func() {
		for i := range uint16(pow62x2) {
			pairs62.digits[i] = uint16(digits62.digits[i/62]) | uint16(digits62.digits[i%62])<<8
		}
	})
	return &base62Coders[bits-base62MinBits]
}

func (c *base62) Append(dst []byte, n uint64) ([]byte, error) {
	if n-1 >= c.largest {
		return dst, numberError(Base62.Name(), n, c.largest)
	}
	at := len(dst)
	dst = slices.Grow(dst, base62Width)[:at+base62Width]
	put62((*[base62Width]byte)(dst[at:]), n)
	return dst, nil
}

func (c *base62) Parse(text []byte) (uint64, error) {
	if len(text) != base62Width {
		return 0, fault62(c, text)
	}
	// The digits make two halves, which the processor can add up side by side.
	t, value := (*[base62Width]byte)(text), &digits62.value
	v0, v1, v2, v3, v4 := value[t[0]], value[t[1]], value[t[2]], value[t[3]], value[t[4]]
	marks := v0 | v1 | v2 | v3 | v4
	high := uint64(v0)*pow62x4 + (uint64(v1)*62+uint64(v2))*pow62x2 + uint64(v3)*62 + uint64(v4)
	v5, v6, v7, v8, v9, v10 := value[t[5]], value[t[6]], value[t[7]], value[t[8]], value[t[9]], value[t[10]]
	marks |= v5 | v6 | v7 | v8 | v9 | v10
	low := (uint64(v5)*62+uint64(v6))*pow62x4 + (uint64(v7)*62+uint64(v8))*pow62x2 + uint64(v9)*62 + uint64(v10)
	n := high*pow62x6 + low
	// 62^6 times a greater high half could pass 2^64.
	if marks == notDigit || high > 1<<63/pow62x6 || n-1 >= c.largest {
		return 0, fault62(c, text)
	}
	return n, nil
}

// ParseString lends the bytes of text to Parse, which only reads them.
func (c *base62) ParseString(text string) (uint64, error) {
	return c.Parse(unsafe.Slice(unsafe.StringData(text), len(text)))
}

func (c *base62) Width() int  { return base62Width }
func (c *base62) MaxLen() int { return base62Width }
func (c *base62) Sorts() bool { return true }

// put62 writes n, which is below 2^63. Divisions by constants become
// multiplications; in the shape of a tree, not of a chain, they overlap.
func put62(text *[base62Width]byte, n uint64) {
	high := n / pow62x6
	low := n - high*pow62x6
	a, b := high/pow62x4, high/pow62x2
	c, d := low/pow62x4, low/pow62x2
	pair := &pairs62.digits
	text[0] = byte(pair[a&4095] >> 8)
	binary.LittleEndian.PutUint16(text[1:], pair[(b-a*pow62x2)&4095])
	binary.LittleEndian.PutUint16(text[3:], pair[(high-b*pow62x2)&4095])
	binary.LittleEndian.PutUint16(text[5:], pair[c&4095])
	binary.LittleEndian.PutUint16(text[7:], pair[(d-c*pow62x2)&4095])
	binary.LittleEndian.PutUint16(text[9:], pair[(low-d*pow62x2)&4095])
}

// fault62 is the error of a text that Parse refuses.
func fault62(c *base62, text []byte) error {
	if len(text) == base62Width && foreign(&digits62, text) == base62Width {
		return rangeError(Base62.Name(), text, c.largest)
	}
	return widthError(Base62.Name(), &digits62, text, base62Width)
}
