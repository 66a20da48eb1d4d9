package encode

import "strings"

// Overlaps tells whether there can be a text that both t and o read. It is
// never wrong about a Standard or Sqids codec that it says no for; of a codec
// made elsewhere it takes every byte for a digit.
func (t *Text) Overlaps(o *Text) bool {
	short, long := t, o
	if len(short.prefix) > len(long.prefix) {
		short, long = long, short
	}
	rest, ok := strings.CutPrefix(long.prefix, short.prefix)
	if !ok || short.coder == nil || long.coder == nil {
		return false
	}
	if w := short.Width(); w != 0 && long.Width() != 0 && w != long.Width() {
		return false
	}
	// What follows the short prefix in a text of the long one begins with rest.
	if short.maxLen <= len(long.prefix) {
		return false
	}
	for i := range len(rest) {
		if !mayBeDigit(short.coder, rest[i]) {
			return false
		}
	}
	return true
}

// mayBeDigit tells whether a text of c can have the byte.
func mayBeDigit(c Coder, char byte) bool {
	switch c := c.(type) {
	case *base62, base62Compact:
		return digits62.value[char] != notDigit
	case fixed:
		return c.digits.value[char] != notDigit
	case compact:
		return c.digits.value[char] != notDigit
	case *sqidsCoder:
		return strings.IndexByte(c.alphabet, char) >= 0
	}
	return true
}
