package encode

import "strconv"

// compact writes a number in as few digits as it has: no leading zeros.
type compact struct {
	codec   Standard
	digits  *alphabet
	longest int // digits of largest
	largest uint64
	limit   uint64 // largest/base
}

func (c compact) Append(dst []byte, n uint64) ([]byte, error) {
	if n-1 >= c.largest {
		return dst, numberError(c.codec.Name(), n, c.largest)
	}
	return c.append(dst, n), nil
}

func (c compact) append(dst []byte, n uint64) []byte {
	if c.codec == Decimal {
		return strconv.AppendUint(dst, n, 10)
	}
	var scratch [20]byte // as many digits as 2^64 has in the least base, 10
	padded := scratch[:c.longest]
	c.digits.put(padded, n)
	zeros := 0
	for zeros < len(padded)-1 && padded[zeros] == c.digits.digits[0] {
		zeros++
	}
	return append(dst, padded[zeros:]...)
}

func (c compact) Parse(text []byte) (uint64, error)       { return parseCompact(c, text) }
func (c compact) ParseString(text string) (uint64, error) { return parseCompact(c, text) }

func (c compact) Width() int  { return 0 }
func (c compact) MaxLen() int { return c.longest }
func (c compact) Sorts() bool { return false }

func parseCompact[T text](c compact, text T) (uint64, error) {
	n, class := valueCompact(c, text)
	if class == nil && n-1 < c.largest {
		return n, nil
	}
	if class == ErrSyntax {
		return 0, compactError(c.codec.Name(), c.digits, text)
	}
	return 0, rangeError(c.codec.Name(), text, c.largest)
}

// valueCompact returns the number of text, 0 included, or the class of error.
func valueCompact[T text](c compact, text T) (uint64, error) {
	if !leads(c.digits, text) {
		return 0, ErrSyntax
	}
	if len(text) > c.longest {
		return 0, overlong(c.digits, text)
	}
	return number(c.digits, text, c.limit)
}

// leads tells whether text begins as a number without padding does.
func leads[T text](digits *alphabet, text T) bool {
	return len(text) > 0 && (len(text) == 1 || text[0] != digits.digits[0])
}

// overlong is the class of a text longer than the largest number: nothing but
// digits make a number that is too large.
func overlong[T text](digits *alphabet, text T) error {
	if foreign(digits, text) < len(text) {
		return ErrSyntax
	}
	return ErrRange
}

// compactError is the syntax error of a text that is empty, has a foreign
// byte or, where every byte is a digit, is padded by its first.
func compactError[T text](codec string, digits *alphabet, text T) error {
	pos := foreign(digits, text)
	if pos == len(text) {
		pos = 0
	}
	return syntaxError(codec, text, pos)
}
