package cli

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable escapes what a terminal could take for a command: messages repeat
// arguments, which may come from anywhere.
func Printable(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		char, size := utf8.DecodeRuneInString(text)
		if char == utf8.RuneError && size == 1 || !unicode.IsPrint(char) {
			quoted := strconv.QuoteToASCII(text[:size])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}
