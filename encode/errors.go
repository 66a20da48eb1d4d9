package encode

import (
	"errors"
	"fmt"
	"strings"
)

// Classes of error, for errors.Is.
var (
	// ErrSyntax says that a text doesn't have the codec's form.
	ErrSyntax = errors.New("encode: not the form of the codec")

	// ErrRange says that a number, or the number of a text that has the right
	// form, is 0 or above the largest one.
	ErrRange = errors.New("encode: number out of range")

	// ErrPrefix says that a text lacks the prefix, or that a prefix is refused.
	ErrPrefix = errors.New("encode: wrong prefix")

	// ErrBlocked says that the blocklist of a Sqids codec leaves a number no
	// text.
	ErrBlocked = errors.New("encode: blocked by the blocklist")

	// ErrCodec says that a codec, or its settings, can't be used.
	ErrCodec = errors.New("encode: unusable codec")

	// ErrBits says that the width of the numbers is outside 1 to 63 bits.
	ErrBits = errors.New("encode: unusable number of bits")

	// ErrFormat says that the options of a Format can't be used.
	ErrFormat = errors.New("encode: unusable format")

	// ErrGroup says that a Format has no text for a number because of its
	// group: none, one too many, or one that couldn't be read back.
	ErrGroup = errors.New("encode: wrong group")

	// ErrTime says that a Format has no text for a time.
	ErrTime = errors.New("encode: time without a text")

	// ErrWriteOnly says that a Format doesn't read, whatever the text.
	ErrWriteOnly = errors.New("encode: format is write-only")
)

// keptText is how much of a refused text an Error keeps: every valid text of
// the fixed forms fits, a hostile one is cut.
const keptText = 128

// Error is a refused text, or a refused number. errors.Is finds its Class.
type Error struct {
	Class  error  // ErrSyntax, ErrRange, ErrPrefix or ErrBlocked
	Codec  string // name of the codec
	Text   string // the refused text, cut to its first 128 bytes; empty for a number
	Length int    // length of the whole text in bytes
	Pos    int    // ErrSyntax: byte position in the text, its length where more is missing; otherwise -1
	Number uint64 // the number that couldn't be written; 0 for a text
	Bound  uint64 // ErrRange: the largest number
	Prefix string // ErrPrefix: the prefix that is missing
}

// Error says what was refused and which bound or position it broke.
func (e *Error) Error() string {
	quoted := fmt.Sprintf("%q", e.Text)
	if e.Length > len(e.Text) {
		quoted += fmt.Sprintf("... (%d bytes)", e.Length)
	}
	switch {
	case e.Class == ErrSyntax:
		at := ""
		switch {
		case e.Pos == e.Length:
			at = ", where it ends"
		case e.Pos < len(e.Text):
			at = fmt.Sprintf(", 0x%02x", e.Text[e.Pos])
		}
		return fmt.Sprintf("encode: %s text %s has a syntax error at byte %d%s", e.Codec, quoted, e.Pos, at)
	case e.Class == ErrPrefix:
		return fmt.Sprintf("encode: text %s lacks the prefix %q", quoted, e.Prefix)
	case e.Class == ErrBlocked:
		return fmt.Sprintf("encode: %s number %d has no text outside the blocklist", e.Codec, e.Number)
	case e.Length > 0:
		return fmt.Sprintf("encode: %s text %s is outside 1 to %d", e.Codec, quoted, e.Bound)
	default:
		return fmt.Sprintf("encode: %s number %d is outside 1 to %d", e.Codec, e.Number, e.Bound)
	}
}

// Unwrap returns the class.
func (e *Error) Unwrap() error { return e.Class }

func numberError(codec string, n, largest uint64) error {
	return &Error{Class: ErrRange, Codec: codec, Pos: -1, Number: n, Bound: largest}
}

func rangeError[T text](codec string, text T, largest uint64) error {
	return &Error{Class: ErrRange, Codec: codec, Text: kept(text), Length: len(text), Pos: -1, Bound: largest}
}

func syntaxError[T text](codec string, text T, pos int) error {
	return &Error{Class: ErrSyntax, Codec: codec, Text: kept(text), Length: len(text), Pos: pos}
}

func prefixError[T text](codec, prefix string, text T) error {
	return &Error{Class: ErrPrefix, Codec: codec, Text: kept(text), Length: len(text), Pos: -1, Prefix: prefix}
}

// widthError is the syntax error of a text that is not width digits: at the
// first foreign byte, else where the text ends too early or runs on.
func widthError[T text](codec string, digits *alphabet, text T, width int) error {
	return syntaxError(codec, text, min(foreign(digits, text[:min(len(text), width)]), width))
}

// kept copies the part of text that an Error holds, so that the error keeps
// neither the caller's bytes nor a large string alive.
func kept[T text](text T) string {
	if len(text) > keptText {
		text = text[:keptText]
	}
	return strings.Clone(string(text))
}
