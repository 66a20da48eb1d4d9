package zkstore

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/stampid/go-stamp/store"
)

// The longest key and the largest record, in bytes. A key is a [store.Key] as
// text, without what this package adds to it.
const (
	MaxKey   = 512
	MaxValue = 64 << 10
)

func limits() store.Limits { return store.Limits{MaxKey: MaxKey, MaxValue: MaxValue, Reserved: "/"} }

// checkNames checks what [store.Limits] doesn't: characters that ZooKeeper takes
// in no path. It leaves to those what they report.
func checkNames(key store.Key) error {
	return errors.Join(checkName("namespace", key.Namespace), checkName("name", key.Name))
}

func checkName(field, text string) error {
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) || !strings.ContainsFunc(text, isForbidden) {
		return nil
	}
	const bound = "no control characters, none from U+E000 to U+F8FF and none above U+FFEF"
	return &store.ArgumentError{Field: field, Value: text, Bound: bound}
}

// isForbidden tells whether ZooKeeper refuses paths with r. Its server counts in
// UTF-16, and takes no surrogates.
func isForbidden(r rune) bool {
	return r <= 0x1f || r >= 0x7f && r <= 0x9f || r >= 0xe000 && r <= 0xf8ff || r >= 0xfff0
}
