package encode

import (
	"math"
	"strings"
)

// sqidsCoder puts this package's promises around the library, which reads
// many texts as one number, wraps what passes 2^64 and ignores foreign bytes.
type sqidsCoder struct {
	*sqidsCodec
	largest uint64
}

func (c *sqidsCoder) Append(dst []byte, n uint64) ([]byte, error) {
	if n-1 >= c.largest {
		return dst, numberError(sqidsName, n, c.largest)
	}
	text, err := c.library.Encode([]uint64{n})
	if err != nil {
		// The only failure that the library has for a list of numbers.
		return dst, &Error{Class: ErrBlocked, Codec: sqidsName, Pos: -1, Number: n}
	}
	return append(dst, text...), nil
}

func (c *sqidsCoder) Parse(text []byte) (uint64, error) {
	return c.ParseString(string(text[:min(len(text), math.MaxUint16)]))
}

func (c *sqidsCoder) ParseString(text string) (uint64, error) {
	// The library's time grows with the square of the length.
	if limit := c.longest(math.MaxUint64); len(text) > limit {
		return 0, syntaxError(sqidsName, text, min(c.foreign(text), limit))
	}
	numbers := c.library.Decode(text)
	if len(numbers) != 1 {
		return 0, syntaxError(sqidsName, text, c.foreign(text)%max(len(text), 1))
	}
	canonical, err := c.library.Encode(numbers)
	if err != nil || canonical != text {
		return 0, syntaxError(sqidsName, text, differ(canonical, text))
	}
	if numbers[0]-1 >= c.largest {
		return 0, rangeError(sqidsName, text, c.largest)
	}
	return numbers[0], nil
}

func (c *sqidsCoder) Width() int  { return 0 }
func (c *sqidsCoder) MaxLen() int { return c.longest(c.largest) }
func (c *sqidsCoder) Sorts() bool { return false }

// foreign returns the position of the first byte outside the alphabet,
// len(text) when there is none.
func (c *sqidsCoder) foreign(text string) int {
	for i := range len(text) {
		if strings.IndexByte(c.alphabet, text[i]) < 0 {
			return i
		}
	}
	return len(text)
}

// differ returns the position of the first byte in which a and b differ.
func differ(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return i
}
