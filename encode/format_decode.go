package encode

import (
	"fmt"
	"strings"
	"time"
)

// Decode returns the fields that text shows: Time, Node and Sequence in
// Readable, otherwise Number, with Group or, from a date, Time. Group shares
// the memory of text.
//
// The error is ErrWriteOnly when Reads is false, ErrPrefix when the prefix
// isn't in its place, ErrSyntax for any other difference from what Append
// writes, and ErrRange for a number that is out of range; the fields are then
// zero.
func (f *Format) Decode(text string) (Fields, error) {
	if f == nil || f.zone == nil {
		return Fields{}, zeroFormatError()
	}
	if f.writeOnly != "" {
		return Fields{}, fmt.Errorf("%w: %s", ErrWriteOnly, f.writeOnly)
	}
	r := formatReader{text: text, codec: f.codec(), end: len(text)}
	v, err := f.decode(&r)
	if err != nil {
		return Fields{}, err
	}
	return v, nil
}

// codec names the Format's base in errors.
func (f *Format) codec() string {
	if f.readable {
		return readableName
	}
	return f.digits.name
}

func (f *Format) decode(r *formatReader) (v Fields, err error) {
	if f.leadFirst {
		if err = f.decodeLead(r, &v); err == nil {
			err = r.prefix(f.prefix)
		}
	} else {
		if err = r.prefix(f.prefix); err == nil {
			err = f.decodeLead(r, &v)
		}
	}
	if err == nil {
		err = r.suffix(f.suffix)
	}
	switch {
	case err != nil:
	case f.readable:
		err = r.readable(&v, f.zone)
	default:
		v.Number, err = f.digits.parse(r.rest())
		err = wholeError(r.at, r.text, err)
	}
	return v, err
}

func (f *Format) decodeLead(r *formatReader, v *Fields) (err error) {
	switch {
	case f.group:
		v.Group, err = r.group(f.delimiter)
	case f.date != "":
		if v.Time, err = r.date(f.date, f.zone); err == nil {
			err = r.expect(f.delimiter)
		}
	}
	return err
}

// formatReader is a text of which at bytes are read and those from end on
// belong to the suffix.
type formatReader struct {
	text    string
	codec   string
	at, end int
}

func (r *formatReader) rest() string { return r.text[r.at:r.end] }

func (r *formatReader) syntax(pos int) error { return syntaxError(r.codec, r.text, pos) }

func (r *formatReader) prefix(prefix string) error {
	if !strings.HasPrefix(r.rest(), prefix) {
		return prefixError(r.codec, prefix, r.text)
	}
	r.at += len(prefix)
	return nil
}

// expect reads what has to come next.
func (r *formatReader) expect(want string) error {
	if same := differ(want, r.rest()); same < len(want) {
		return r.syntax(r.at + same)
	}
	r.at += len(want)
	return nil
}

// suffix takes what has to come last off the end.
func (r *formatReader) suffix(suffix string) error {
	from := len(r.text) - len(suffix)
	if from < r.at {
		return r.syntax(len(r.text))
	}
	if same := differ(suffix, r.text[from:]); same < len(suffix) {
		return r.syntax(from + same)
	}
	r.end = from
	return nil
}

// group reads up to the delimiter, which no group has in it.
func (r *formatReader) group(delimiter string) (string, error) {
	// No valid text has its delimiter further on, however long it is.
	within := r.rest()
	within = within[:min(len(within), maxPart+len(delimiter))]
	group, _, found := strings.Cut(within, delimiter)
	if pos := invisible(group); pos < len(group) {
		return "", r.syntax(r.at + pos)
	}
	switch {
	case !found && len(group) > maxPart:
		return "", r.syntax(r.at + maxPart)
	case !found:
		return "", r.syntax(r.at + len(group))
	case group == "":
		return "", r.syntax(r.at)
	}
	r.at += len(group) + len(delimiter)
	return group, nil
}

// date reads a date of the layout, which must exist.
func (r *formatReader) date(layout string, zone *time.Location) (time.Time, error) {
	text := r.rest()
	text = text[:min(len(text), len(layout))]
	if pos := foreign(&digits10, text); pos < len(layout) {
		return time.Time{}, r.syntax(r.at + pos)
	}
	t, ok := readDate(text, zone)
	if !ok {
		return time.Time{}, r.syntax(r.at)
	}
	r.at += len(layout)
	return t, nil
}
