package encode

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// Text is the whole text form of a configuration: a codec and a prefix, both
// always written and always required.
//
// A Text is an immutable value, safe for concurrent use. Texts of Standard
// codecs are equal (==) when codec, prefix and bits are. The zero value writes
// and reads nothing: each call fails with ErrCodec.
type Text struct {
	prefix  string
	codec   string
	coder   Coder
	base62  *base62 // coder, if it is one: called without an interface
	largest uint64
	maxLen  int
}

// maxText bounds what a codec made elsewhere may ask for.
const maxText = 1024

// NewText returns the text form of numbers from 1 to 2^bits-1. The prefix is
// empty, or 1 to 63 bytes that match [a-z][a-z0-9_]* and end in '_'. A nil
// codec is Decimal without a prefix, and refused with one.
//
// The errors are ErrBits, ErrCodec and ErrPrefix, all that apply joined.
func NewText(codec Codec, prefix string, bits int) (Text, error) {
	var errs []error
	if prefix != "" {
		errs = append(errs, checkPrefix(prefix))
		if codec == nil {
			errs = append(errs, fmt.Errorf("%w: prefix %.63q needs a codec", ErrCodec, prefix))
		}
	}
	if codec == nil {
		codec = Decimal
	}
	if v := reflect.ValueOf(codec); v.Kind() == reflect.Pointer && v.IsNil() {
		return Text{}, errors.Join(append(errs, fmt.Errorf("%w: a nil %T", ErrCodec, codec))...)
	}
	coder, err := codec.Coder(bits)
	largest, errBits := largestOf(bits)
	if err == nil {
		// A codec made elsewhere may take any width.
		err = errBits
	}
	switch {
	case err != nil:
		errs = append(errs, err)
	case coder == nil:
		errs = append(errs, fmt.Errorf("%w: %s gave no coder for %d bits", ErrCodec, codec.Name(), bits))
	case coder.MaxLen() < 1 || coder.MaxLen() > maxText:
		errs = append(errs, fmt.Errorf("%w: %s has texts of %d bytes, outside 1 to %d", ErrCodec, codec.Name(), coder.MaxLen(), maxText))
	}
	if err := errors.Join(errs...); err != nil {
		return Text{}, err
	}
	fast, _ := coder.(*base62)
	return Text{
		prefix:  prefix,
		codec:   codec.Name(),
		coder:   coder,
		base62:  fast,
		largest: largest,
		maxLen:  len(prefix) + coder.MaxLen(),
	}, nil
}

// Prefix is what every text begins with, "" without one.
func (t *Text) Prefix() string { return t.prefix }

// Width is the length of every text in bytes, prefix included; 0 when lengths
// differ.
func (t *Text) Width() int {
	if t.coder == nil || t.coder.Width() == 0 {
		return 0
	}
	return len(t.prefix) + t.coder.Width()
}

// MaxLen is the length of the longest text in bytes, prefix included.
func (t *Text) MaxLen() int { return t.maxLen }

// Append extends dst by the text of n. The error is ErrRange for a number
// outside 1 to 2^bits-1 and ErrBlocked where a Sqids codec has no text for n;
// dst is then returned as it was.
func (t *Text) Append(dst []byte, n uint64) ([]byte, error) {
	if n-1 >= t.largest {
		return dst, t.refuse(n)
	}
	at := len(dst)
	if t.base62 != nil {
		dst = slices.Grow(dst, t.maxLen)[:at+t.maxLen]
		digits := dst[at+copy(dst[at:], t.prefix):]
		put62((*[base62Width]byte)(digits), n)
		return dst, nil
	}
	dst, err := t.coder.Append(append(dst, t.prefix...), n)
	if err != nil {
		return dst[:at], err
	}
	return dst, nil
}

// Encode returns the text of n. It allocates the string and nothing else.
// The errors are those of Append.
func (t *Text) Encode(n uint64) (string, error) {
	buf, err := t.Append(make([]byte, 0, t.maxLen), n)
	if err != nil {
		return "", err
	}
	// Nothing else refers to buf, so the string may have it without a copy.
	return unsafe.String(unsafe.SliceData(buf), len(buf)), nil
}

// Decode returns the number of text. The error is ErrPrefix when text doesn't
// begin with the prefix, ErrSyntax when the rest doesn't have the codec's
// form, ErrRange when it stands for a number outside 1 to 2^bits-1; the number
// is then 0.
func (t *Text) Decode(text string) (uint64, error) {
	if t.base62 != nil && len(text) == t.maxLen && text[:len(t.prefix)] == t.prefix {
		if n, err := t.base62.ParseString(text[len(t.prefix):]); err == nil {
			return n, nil
		}
	}
	if err := checkForm(t, text); err != nil {
		return 0, err
	}
	n, err := t.coder.ParseString(text[len(t.prefix):])
	return checkNumber(t, text, n, err)
}

// DecodeBytes is Decode for bytes. It doesn't keep text.
func (t *Text) DecodeBytes(text []byte) (uint64, error) {
	if t.base62 != nil && len(text) == t.maxLen && string(text[:len(t.prefix)]) == t.prefix {
		if n, err := t.base62.Parse(text[len(t.prefix):]); err == nil {
			return n, nil
		}
	}
	if err := checkForm(t, text); err != nil {
		return 0, err
	}
	n, err := t.coder.Parse(text[len(t.prefix):])
	return checkNumber(t, text, n, err)
}

// checkForm is the error of a text without the prefix, or of a zero Text.
func checkForm[T text](t *Text, text T) error {
	if t.coder == nil {
		return zeroTextError()
	}
	if len(text) < len(t.prefix) || string(text[:len(t.prefix)]) != t.prefix {
		return prefixError(t.codec, t.prefix, text)
	}
	return nil
}

// checkNumber completes what a coder returned: an error is made to be about
// the whole text, and no number passes that is out of range, whoever made the
// coder.
func checkNumber[T text](t *Text, text T, n uint64, err error) (uint64, error) {
	if err != nil {
		return 0, wholeError(len(t.prefix), text, err)
	}
	if n-1 >= t.largest {
		return 0, rangeError(t.codec, text, t.largest)
	}
	return n, nil
}

// refuse is the error of a number outside the bounds, which for the zero Text
// is every number.
func (t *Text) refuse(n uint64) error {
	if t.coder == nil {
		return zeroTextError()
	}
	return numberError(t.codec, n, t.largest)
}

func zeroTextError() error {
	return fmt.Errorf("%w: a zero Text has none", ErrCodec)
}

// wholeError makes a coder's error about the whole text, of which the coder
// read what begins at byte from. An error of another type, from a codec made
// elsewhere, stays as it is.
func wholeError[T text](from int, text T, err error) error {
	inner, ok := err.(*Error)
	if !ok {
		return err
	}
	whole := *inner
	whole.Text, whole.Length = kept(text), len(text)
	if whole.Class == ErrSyntax {
		whole.Pos += from
	}
	return &whole
}
