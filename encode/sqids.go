package encode

import (
	"errors"
	"fmt"
	"math"

	"github.com/sqids/sqids-go"
)

// SqidsOptions are the settings of a Sqids codec. They are part of the data
// format: chosen once, never changed for stored texts.
type SqidsOptions struct {
	// Alphabet is 3 to 94 different visible ASCII characters, in an order that
	// determines the texts. Empty: a-zA-Z0-9.
	Alphabet string

	// MinLength is the length in bytes to which shorter texts are filled.
	MinLength uint8

	// Blocklist has the words that no text may contain, in any letter case.
	// Nil: the list of sqids-go v0.4.1; empty: none.
	Blocklist []string
}

const (
	sqidsName     = "sqids"
	sqidsAlphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
)

// sqidsCodec is a Sqids configuration that the library has accepted.
type sqidsCodec struct {
	alphabet  string
	minLength int
	library   *sqids.Sqids
	limit     int // length of the longest text of any uint64
}

// NewSqids returns a codec that writes a number as Sqids (sqids.org,
// sqids-go v0.4.1) write a list of that one number. It copies the options.
// The error is ErrCodec, one for each violation.
//
// Sqids look random but hide nothing: who knows the alphabet reads the number,
// and the alphabet can be found from texts. They don't sort, they cost
// several allocations each way, and where the blocklist leaves a number no
// text, Append fails with ErrBlocked.
func NewSqids(o SqidsOptions) (Codec, error) {
	if o.Alphabet == "" {
		o.Alphabet = sqidsAlphabet
	}
	if o.Blocklist == nil {
		o.Blocklist = sqids.Blocklist()
	}
	if err := checkSqidsAlphabet(o.Alphabet); err != nil {
		return nil, err
	}
	library, err := sqids.New(sqids.Options{Alphabet: o.Alphabet, MinLength: o.MinLength, Blocklist: o.Blocklist})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCodec, err)
	}
	c := &sqidsCodec{alphabet: o.Alphabet, minLength: int(o.MinLength), library: library}
	c.limit = c.longest(math.MaxUint64)
	return c, nil
}

// checkSqidsAlphabet is stricter than the library, which lets control
// characters and a single byte that isn't ASCII pass.
func checkSqidsAlphabet(alphabet string) error {
	var errs []error
	if len(alphabet) < 3 {
		errs = append(errs, fmt.Errorf("%w: sqids alphabet %q is %d long, below 3", ErrCodec, alphabet, len(alphabet)))
	}
	var seen [256]bool
	for i := range len(alphabet) {
		char := alphabet[i]
		if char <= ' ' || char > '~' {
			errs = append(errs, fmt.Errorf("%w: sqids alphabet has byte %#02x at %d, outside 0x21 to 0x7e", ErrCodec, char, i))
		} else if seen[char] {
			errs = append(errs, fmt.Errorf("%w: sqids alphabet has %q again at %d", ErrCodec, char, i))
		}
		seen[char] = true
	}
	return errors.Join(errs...)
}

func (c *sqidsCodec) Name() string { return sqidsName }

func (c *sqidsCodec) Coder(bits int) (Coder, error) {
	largest, err := largestOf(bits)
	if err != nil {
		return nil, err
	}
	return &sqidsCoder{sqidsCodec: c, largest: largest}, nil
}

// longest is the length of the longest text of a number up to largest: one
// character leads, one separates, the others are digits.
func (c *sqidsCodec) longest(largest uint64) int {
	length := 1
	for ; largest > 0; largest /= uint64(len(c.alphabet) - 1) {
		length++
	}
	return max(length, c.minLength)
}
