package encode

import "slices"

// fixed writes every number in the same count of digits.
type fixed struct {
	codec   Standard
	digits  *alphabet
	width   int // digits of largest
	largest uint64
	limit   uint64 // largest/base
}

func (c fixed) Append(dst []byte, n uint64) ([]byte, error) {
	if n-1 >= c.largest {
		return dst, numberError(c.codec.Name(), n, c.largest)
	}
	return c.append(dst, n), nil
}

func (c fixed) append(dst []byte, n uint64) []byte {
	at := len(dst)
	dst = slices.Grow(dst, c.width)[:at+c.width]
	c.digits.put(dst[at:], n)
	return dst
}

func (c fixed) Parse(text []byte) (uint64, error)       { return parseFixed(c, text) }
func (c fixed) ParseString(text string) (uint64, error) { return parseFixed(c, text) }

func (c fixed) Width() int  { return c.width }
func (c fixed) MaxLen() int { return c.width }
func (c fixed) Sorts() bool { return true }

func parseFixed[T text](c fixed, text T) (uint64, error) {
	n, class := valueFixed(c, text)
	if class == nil && n-1 < c.largest {
		return n, nil
	}
	if class == ErrSyntax {
		return 0, widthError(c.codec.Name(), c.digits, text, c.width)
	}
	return 0, rangeError(c.codec.Name(), text, c.largest)
}

// valueFixed returns the number of text, 0 included, or the class of error.
func valueFixed[T text](c fixed, text T) (uint64, error) {
	if len(text) != c.width {
		return 0, ErrSyntax
	}
	return number(c.digits, text, c.limit)
}
