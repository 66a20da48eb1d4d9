package encode

// fixed writes every number in the same count of digits.
type fixed struct {
	codec   Standard
	digits  *alphabet
	largest uint64
	width   int // digits of largest
}

func (c fixed) Append(dst []byte, n uint64) ([]byte, error) {
	if n-1 >= c.largest {
		return dst, numberError(c.codec.Name(), n, c.largest)
	}
	return c.digits.append(dst, n, c.width), nil
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
	var n, upper uint64
	var marks byte
	base := c.digits.base()
	for i := range len(text) {
		digit := c.digits.value[text[i]]
		marks |= digit
		upper = n
		n = n*base + uint64(digit)
	}
	if marks == notDigit {
		return 0, ErrSyntax
	}
	// All digits but the last make at most largest/base digits' worth, which
	// fits; only the last step can pass 2^64.
	if upper > c.largest/base {
		return 0, ErrRange
	}
	return n, nil
}
