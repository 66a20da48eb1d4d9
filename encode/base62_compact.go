package encode

import (
	"sync"

	jxskiss "github.com/jxskiss/base62"
)

// sorted62 is the library's encoding with the digits in ASCII order; its own
// standard one has them last.
var sorted62 struct {
	once     sync.Once
	encoding *jxskiss.Encoding
}

// base62Compact is the library's text of a number, wrapped in the checks that
// it lacks: padding, and numbers that wrap at 2^64.
type base62Compact struct {
	largest uint64
	longest string // text of largest
}

func newBase62Compact(largest uint64) base62Compact {
	digits62.ready()
	sorted62.once.Do(func() { sorted62.encoding = jxskiss.NewEncoding(digits62.digits) })
	return base62Compact{largest: largest, longest: string(sorted62.encoding.FormatUint(largest))}
}

func (c base62Compact) Append(dst []byte, n uint64) ([]byte, error) {
	if n-1 >= c.largest {
		return dst, numberError(Base62Compact.Name(), n, c.largest)
	}
	return sorted62.encoding.AppendUint(dst, n), nil
}

func (c base62Compact) Parse(text []byte) (uint64, error) { return parseBase62Compact(c, text) }

func (c base62Compact) ParseString(text string) (uint64, error) { return parseBase62Compact(c, text) }

func (c base62Compact) Width() int  { return 0 }
func (c base62Compact) MaxLen() int { return len(c.longest) }
func (c base62Compact) Sorts() bool { return false }

func parseBase62Compact[T text](c base62Compact, text T) (uint64, error) {
	n, class := valueBase62Compact(c, text)
	if class == nil && n-1 < c.largest {
		return n, nil
	}
	if class == ErrSyntax {
		return 0, compactError(Base62Compact.Name(), &digits62, text)
	}
	return 0, rangeError(Base62Compact.Name(), text, c.largest)
}

// valueBase62Compact returns the number of text, 0 included, or the class of
// error.
func valueBase62Compact[T text](c base62Compact, text T) (uint64, error) {
	if !leads(&digits62, text) {
		return 0, ErrSyntax
	}
	if len(text) > len(c.longest) {
		return 0, overlong(&digits62, text)
	}
	var buf [base62Width]byte
	short := buf[:copy(buf[:], text)]
	n, err := sorted62.encoding.ParseUint(short)
	if err != nil {
		return 0, ErrSyntax
	}
	// A number that wrapped looks small; its text doesn't, since texts of one
	// length compare as their numbers.
	if len(short) == len(c.longest) && string(short) > c.longest {
		return 0, ErrRange
	}
	return n, nil
}
