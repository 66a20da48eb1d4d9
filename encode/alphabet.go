package encode

import (
	"math/bits"
	"sync"
)

// notDigit marks a foreign byte in alphabet.value; it has a bit that no digit
// has, so that the marks of a whole text can be gathered with or.
const notDigit = 0xFF

// alphabet holds the digits of a radix in ascending ASCII order and what is
// derived from them. The derived part is filled at first use, so that a
// program pays for nothing it doesn't use.
type alphabet struct {
	digits string

	once       sync.Once
	value      [256]byte
	reciprocal uint64
	shift      uint8
}

var (
	digits62      = alphabet{digits: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"}
	digits58      = alphabet{digits: "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"}
	digits36      = alphabet{digits: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
	digits36Lower = alphabet{digits: "0123456789abcdefghijklmnopqrstuvwxyz"}
	digits32      = alphabet{digits: "0123456789abcdefghjkmnpqrstvwxyz"}
	digits16      = alphabet{digits: "0123456789abcdef"}
	digits10      = alphabet{digits: "0123456789"}
)

// ready returns a with its derived part filled.
func (a *alphabet) ready() *alphabet {
	a.once.Do(func() {
		for i := range a.value {
			a.value[i] = notDigit
		}
		for i := range len(a.digits) {
			a.value[a.digits[i]] = byte(i)
		}
		// With l the bits of base-1, the reciprocal is 2^(63+l)/base rounded
		// up. What that adds to a quotient is at most n/2^(63+l), for n below
		// 2^63 less than 1/2^l and so less than 1/base, which is the least
		// that n/base can be away from the next whole number.
		l := bits.Len64(a.base() - 1)
		quotient, _ := bits.Div64(1<<(l-1), 0, a.base())
		a.reciprocal = quotient + 1
		a.shift = uint8(l - 1)
	})
	return a
}

func (a *alphabet) base() uint64 { return uint64(len(a.digits)) }

// split returns n/base and n%base for n below 2^63.
func (a *alphabet) split(n uint64) (quotient, digit uint64) {
	high, _ := bits.Mul64(n, a.reciprocal)
	quotient = high >> (a.shift & 63)
	return quotient, n - quotient*a.base()
}

// count returns how many digits n has, 1 for 0.
func (a *alphabet) count(n uint64) int {
	width := 1
	for n, _ = a.split(n); n > 0; n, _ = a.split(n) {
		width++
	}
	return width
}

// put fills dst with n, zeros on the left.
func (a *alphabet) put(dst []byte, n uint64) {
	for i := len(dst) - 1; i >= 0; i-- {
		var digit uint64
		n, digit = a.split(n)
		dst[i] = a.digits[digit]
	}
}

// number returns the number of text, 0 included, or its class of error. The
// text has at most as many digits as the largest number, of which limit is
// the quotient by the base.
func number[T text](a *alphabet, text T, limit uint64) (uint64, error) {
	var n, upper uint64
	var marks byte
	base := a.base()
	for i := range len(text) {
		digit := a.value[text[i]]
		marks |= digit
		upper = n
		n = n*base + uint64(digit)
	}
	if marks == notDigit {
		return 0, ErrSyntax
	}
	// The last step alone can pass 2^64: upper has fewer digits than the
	// largest number. Within limit, n is at most base-1 above that number.
	if upper > limit {
		return 0, ErrRange
	}
	return n, nil
}

// foreign returns the position of the first byte of text that is no digit,
// len(text) when there is none.
func foreign[T text](a *alphabet, text T) int {
	for i := range len(text) {
		if a.value[text[i]] == notDigit {
			return i
		}
	}
	return len(text)
}

// text is what the readers take: one body serves both without a copy.
type text interface{ []byte | string }
