package encode

import (
	"strconv"
	"sync"

	jxskiss "github.com/jxskiss/base62"
)

// compact writes a number in as few digits as it has: no leading zeros.
type compact struct {
	codec   Standard
	digits  *alphabet
	largest uint64
	longest string            // text of largest
	library *jxskiss.Encoding // Base62Compact only
}

func (c compact) Append(dst []byte, n uint64) ([]byte, error) {
	if n-1 >= c.largest {
		return dst, numberError(c.codec.Name(), n, c.largest)
	}
	return c.append(dst, n), nil
}

func (c compact) append(dst []byte, n uint64) []byte {
	switch {
	case c.library != nil:
		return c.library.AppendUint(dst, n)
	case c.digits == &digits10:
		return strconv.AppendUint(dst, n, 10)
	default:
		return c.digits.append(dst, n, 0)
	}
}

func (c compact) Parse(text []byte) (uint64, error)       { return parseCompact(c, text) }
func (c compact) ParseString(text string) (uint64, error) { return parseCompact(c, text) }

func (c compact) Width() int  { return 0 }
func (c compact) MaxLen() int { return len(c.longest) }
func (c compact) Sorts() bool { return false }

func parseCompact[T text](c compact, text T) (uint64, error) {
	n, class := valueCompact(c, text)
	if class == nil && n-1 < c.largest {
		return n, nil
	}
	if class == ErrSyntax {
		// A leading zero is at fault itself where every byte is a digit.
		return 0, syntaxError(c.codec.Name(), text, foreign(c.digits, text)%max(len(text), 1))
	}
	return 0, rangeError(c.codec.Name(), text, c.largest)
}

// valueCompact returns the number of text, 0 included, or the class of error.
func valueCompact[T text](c compact, text T) (uint64, error) {
	if len(text) == 0 || foreign(c.digits, text) < len(text) || len(text) > 1 && text[0] == c.digits.digits[0] {
		return 0, ErrSyntax
	}
	// Digits are in ASCII order, so numbers of one length compare as texts,
	// before anything can pass 2^64.
	if len(text) > len(c.longest) || len(text) == len(c.longest) && string(text) > c.longest {
		return 0, ErrRange
	}
	if c.library != nil {
		var buf [base62Width]byte
		return c.library.ParseUint(buf[:copy(buf[:], text)])
	}
	var n uint64
	for i := range len(text) {
		n = n*c.digits.base() + uint64(c.digits.value[text[i]])
	}
	return n, nil
}

// sorted62 is the library's encoding with the digits in ASCII order; its own
// standard one puts them last.
var sorted62 struct {
	once     sync.Once
	encoding *jxskiss.Encoding
}

func jxskiss62() *jxskiss.Encoding {
	sorted62.once.Do(func() { sorted62.encoding = jxskiss.NewEncoding(digits62.digits) })
	return sorted62.encoding
}
