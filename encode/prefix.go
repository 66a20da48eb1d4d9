package encode

import "fmt"

const maxPrefix = 63

// checkPrefix applies the prefix rule to a prefix that isn't empty.
func checkPrefix(prefix string) error {
	if len(prefix) > maxPrefix {
		return fmt.Errorf("%w: prefix %q... is %d bytes, above %d", ErrPrefix, prefix[:maxPrefix], len(prefix), maxPrefix)
	}
	for i := range len(prefix) {
		char := prefix[i]
		letter := 'a' <= char && char <= 'z'
		if !letter && (i == 0 || char != '_' && (char < '0' || char > '9')) {
			return fmt.Errorf("%w: prefix %q has byte %#02x at %d, it must match [a-z][a-z0-9_]*", ErrPrefix, prefix, char, i)
		}
	}
	if prefix[len(prefix)-1] != '_' {
		return fmt.Errorf("%w: prefix %q doesn't end in _", ErrPrefix, prefix)
	}
	return nil
}
