package encode

import (
	"errors"
	"fmt"
	"strconv"
)

// Standard is a Codec without settings. The zero value is no codec: its Coder
// fails with ErrCodec. Values are comparable with ==.
type Standard uint8

// The widths below are those of 63-bit numbers; for fewer bits a fixed form
// is as wide as its largest number needs.
const (
	// Base62 is 0-9A-Za-z, 11 wide. It sorts.
	Base62 Standard = iota + 1

	// Base58 is Bitcoin's alphabet, 1-9A-HJ-NP-Za-km-z, 11 wide. It sorts.
	Base58

	// Base36 is 0-9A-Z, 13 wide. It sorts, also where case is ignored.
	Base36

	// Base36Lower is 0-9a-z, 13 wide. It sorts, also where case is ignored.
	Base36Lower

	// Base32 is Crockford's alphabet in lower case, 0-9a-hjkmnp-tv-z, 13 wide.
	// It sorts, also where case is ignored. Reading maps no letter to another.
	Base32

	// Hex is 0-9a-f, 16 wide. It sorts, also where case is ignored.
	Hex

	// Decimal is 0-9 without leading zeros. It does not sort.
	Decimal

	// DecimalPadded is 0-9, 19 wide. It sorts, under any collation.
	DecimalPadded

	// Base62Compact is Base62 without leading zeros. It does not sort.
	Base62Compact

	// Base58Compact is Base58 without leading zeros, which it writes as 1. It
	// does not sort.
	Base58Compact
)

// form is what a Standard stands for.
type form struct {
	name    string
	digits  *alphabet
	compact bool
}

var forms = [...]form{
	Base62:        {"base62", &digits62, false},
	Base58:        {"base58", &digits58, false},
	Base36:        {"base36", &digits36, false},
	Base36Lower:   {"base36-lower", &digits36Lower, false},
	Base32:        {"base32", &digits32, false},
	Hex:           {"hex", &digits16, false},
	Decimal:       {"decimal", &digits10, true},
	DecimalPadded: {"decimal-padded", &digits10, false},
	Base62Compact: {"base62-compact", &digits62, true},
	Base58Compact: {"base58-compact", &digits58, true},
}

func (s Standard) known() bool { return s > 0 && int(s) < len(forms) }

// Name is the codec's name, such as "base62-compact".
func (s Standard) Name() string {
	if !s.known() {
		return "Standard(" + strconv.Itoa(int(s)) + ")"
	}
	return forms[s].name
}

// String is Name.
func (s Standard) String() string { return s.Name() }

// Coder returns the codec for numbers from 1 to 2^bits-1. The error is
// ErrBits unless bits is 1 to 63, ErrCodec for a value that isn't one of the
// constants. Coders of equal codecs and widths are equal.
func (s Standard) Coder(bits int) (Coder, error) {
	largest, err := largestOf(bits)
	if !s.known() {
		unknown := fmt.Errorf("%w: %v is outside Standard(1) to Standard(%d)", ErrCodec, s, len(forms)-1)
		return nil, errors.Join(unknown, err)
	}
	if err != nil {
		return nil, err
	}
	digits := forms[s].digits.ready()
	width := digits.count(largest)
	limit := largest / digits.base()
	switch {
	case s == Base62 && bits >= base62MinBits:
		return newBase62(bits), nil
	case s == Base62Compact:
		return newBase62Compact(largest), nil
	case forms[s].compact:
		return compact{codec: s, digits: digits, longest: width, largest: largest, limit: limit}, nil
	default:
		return fixed{codec: s, digits: digits, width: width, largest: largest, limit: limit}, nil
	}
}

func largestOf(bits int) (uint64, error) {
	if bits < 1 || bits > 63 {
		return 0, fmt.Errorf("%w: %d is outside 1 to 63", ErrBits, bits)
	}
	return 1<<bits - 1, nil
}
