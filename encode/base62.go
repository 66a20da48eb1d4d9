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
	if len(text) == base62Width {
		if n, ok := read62((*[base62Width]byte)(text)); ok && n-1 < c.largest {
			return n, nil
		}
	}
	return 0, fault62(c, text)
}

func (c *base62) ParseString(text string) (uint64, error) {
	if len(text) == base62Width {
		// The length was checked, and the array is only read.
		if n, ok := read62((*[base62Width]byte)(unsafe.Pointer(unsafe.StringData(text)))); ok && n-1 < c.largest {
			return n, nil
		}
	}
	return 0, fault62(c, text)
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

// read62 returns the number of text, 0 included, and whether it is one, of 64
// bits. The digits make two halves, which the processor can add up side by
// side.
func read62(text *[base62Width]byte) (n uint64, ok bool) {
	value := &digits62.value
	a, b, c, d, e := value[text[0]], value[text[1]], value[text[2]], value[text[3]], value[text[4]]
	marks := a | b | c | d | e
	high := uint64(a)*pow62x4 + (uint64(b)*62+uint64(c))*pow62x2 + uint64(d)*62 + uint64(e)
	f, g, h, i, j, k := value[text[5]], value[text[6]], value[text[7]], value[text[8]], value[text[9]], value[text[10]]
	marks |= f | g | h | i | j | k
	low := (uint64(f)*62+uint64(g))*pow62x4 + (uint64(h)*62+uint64(i))*pow62x2 + uint64(j)*62 + uint64(k)
	// 62^6 times a greater high half could pass 2^64.
	return high*pow62x6 + low, marks != notDigit && high <= 1<<63/pow62x6
}

// fault62 is the error of a text that Parse refuses.
func fault62[T text](c *base62, text T) error {
	if len(text) == base62Width && foreign(&digits62, text) == base62Width {
		return rangeError(Base62.Name(), text, c.largest)
	}
	return widthError(Base62.Name(), &digits62, text, base62Width)
}
