package encode

import "slices"

// digits is the number of a Format: at least, and at most, so many digits of
// a radix, with leading zeros up to the least.
type digits struct {
	name        string
	alphabet    *alphabet
	least, most int
	largest     uint64
	limit       uint64 // largest/base
}

// newDigits takes options without violations.
func newDigits(o *FormatOptions) digits {
	largest := uint64(1<<63 - 1)
	if o.Bits != 0 {
		largest = 1<<o.Bits - 1
	}
	d := digits{name: Decimal.Name(), alphabet: &digits10}
	switch o.Base {
	case Radix36:
		d.name, d.alphabet = Base36.Name(), &digits36
	case Radix62:
		d.name, d.alphabet = Base62.Name(), &digits62
	}
	full := d.alphabet.ready().count(largest)
	if o.Base == Radix10 {
		d.least, d.most = max(o.Width, 1), max(o.Width, full)
	} else {
		d.most = o.Width
		if d.most == 0 {
			d.most = full
		}
		d.least = d.most
		if o.Unpadded {
			d.least = 1
		}
		if d.most < full {
			largest = power(d.alphabet.base(), d.most) - 1
		}
	}
	d.largest, d.limit = largest, largest/d.alphabet.base()
	return d
}

func power(base uint64, exponent int) uint64 {
	n := uint64(1)
	for range exponent {
		n *= base
	}
	return n
}

func (d *digits) append(dst []byte, n uint64) ([]byte, error) {
	if n-1 >= d.largest {
		return dst, numberError(d.name, n, d.largest)
	}
	width := d.least
	if d.least < d.most {
		width = max(width, d.alphabet.count(n))
	}
	at := len(dst)
	dst = slices.Grow(dst, width)[:at+width]
	d.alphabet.put(dst[at:], n)
	return dst, nil
}

func (d *digits) parse(text string) (uint64, error) {
	switch {
	case len(text) < d.least || d.least == d.most && len(text) > d.most:
		return 0, widthError(d.name, d.alphabet, text, d.least)
	case foreign(d.alphabet, text) < len(text):
		return 0, syntaxError(d.name, text, foreign(d.alphabet, text))
	case len(text) > d.least && text[0] == d.alphabet.digits[0]:
		return 0, syntaxError(d.name, text, 0)
	case len(text) > d.most:
		return 0, rangeError(d.name, text, d.largest)
	}
	n, err := number(d.alphabet, text, d.limit)
	if err != nil || n-1 >= d.largest {
		return 0, rangeError(d.name, text, d.largest)
	}
	return n, nil
}
