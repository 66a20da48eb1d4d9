package encode

import "strings"

// sqidsCoder puts this package's promises around the library, which reads
// several texts as the same number, also such as it would never write, and
// lets numbers wrap at 2^64.
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
		// The library has no other failure for a list of numbers.
		return dst, &Error{Class: ErrBlocked, Codec: sqidsName, Pos: -1, Number: n}
	}
	return append(dst, text...), nil
}

func (c *sqidsCoder) Parse(text []byte) (uint64, error)       { return parseSqids(c, text) }
func (c *sqidsCoder) ParseString(text string) (uint64, error) { return parseSqids(c, text) }

func parseSqids[T text](c *sqidsCoder, text T) (uint64, error) {
	// The library's time grows with the square of the length, so a text that
	// is too long for any uint64 doesn't get there.
	if len(text) > c.limit {
		return 0, syntaxError(sqidsName, text, foreignTo(c.alphabet, string(text[:c.limit])))
	}
	given := string(text)
	numbers := c.library.Decode(given)
	if len(numbers) != 1 {
		pos := foreignTo(c.alphabet, given)
		if pos == len(given) {
			pos = 0
		}
		return 0, syntaxError(sqidsName, text, pos)
	}
	canonical, err := c.library.Encode(numbers)
	if err != nil || canonical != given {
		return 0, syntaxError(sqidsName, text, differ(canonical, given))
	}
	if numbers[0]-1 >= c.largest {
		return 0, rangeError(sqidsName, text, c.largest)
	}
	return numbers[0], nil
}

func (c *sqidsCoder) Width() int  { return 0 }
func (c *sqidsCoder) MaxLen() int { return c.longest(c.largest) }
func (c *sqidsCoder) Sorts() bool { return false }

// foreignTo returns the position of the first byte of text outside alphabet,
// len(text) when there is none.
func foreignTo(alphabet, text string) int {
	for i := range len(text) {
		if strings.IndexByte(alphabet, text[i]) < 0 {
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
