package encode

import (
	"fmt"
	"time"
	"unsafe"
)

// Fields are the parts of an id, or of a grouped number, that a Format writes.
type Fields struct {
	// Number is the id, which every base but Readable writes.
	Number uint64

	// Group is the group that Number is counted in, "" for a plain number. It
	// is the one part that a Format without a place for it refuses: numbers
	// begin anew in each group, and without it two would have one text.
	Group string

	// Time is the id's own time, for Readable and Date. What is read back is
	// in the Format's zone, and for a Date the first instant of it.
	Time time.Time

	// Node and Sequence are those of the id, for Readable.
	Node, Sequence uint64
}

// Format writes business numbers, such as BIZ-20260101-00000001, and reads
// them back: what is read is written as the same text, byte for byte.
//
// A date is that of the id's own time, passed in Fields, so that an id has the
// same text whenever it is written. CosId writes the date of the moment of
// formatting: there texts of one id differ from day to day, and from these.
// Reading can't compare a date with the number, whose layout this package
// doesn't know: who trusts neither derives the time from the number, encodes
// again and compares.
//
// Texts of one lead sort as their numbers do in Radix36 and Radix62 of exact
// width; those of other bases don't.
//
// A Format is immutable and safe for concurrent use. The zero value and nil
// write and read nothing: each call fails with ErrFormat.
type Format struct {
	digits    digits // not for readable
	readable  bool
	group     bool
	date      string
	delimiter string
	leadFirst bool
	prefix    string
	suffix    string
	zone      *time.Location // set by NewFormat alone
	writeOnly string         // why texts can't be read back
}

// NewFormat returns the Format of the options. The error joins every
// violation: ErrBits for Bits, ErrFormat for everything else.
func NewFormat(o FormatOptions) (*Format, error) {
	if err := o.violations(); err != nil {
		return nil, err
	}
	f := &Format{
		readable:  o.Base == Readable,
		group:     o.Group,
		date:      o.Date,
		delimiter: o.Delimiter,
		leadFirst: o.LeadFirst,
		prefix:    o.Prefix,
		suffix:    o.Suffix,
		zone:      o.Zone,
	}
	if !f.readable {
		f.digits = newDigits(&o)
	}
	if f.delimiter == "" && !o.Undelimited && (f.group || f.date != "") {
		f.delimiter = "-"
	}
	if f.zone == nil {
		f.zone = time.UTC
	}
	switch {
	case f.group && f.delimiter == "":
		f.writeOnly = "nothing ends the group"
	case shortYear(f.date):
		f.writeOnly = "the year lacks its century"
	case !fixedOffset(f.zone):
		f.writeOnly = "the offset of zone " + f.zone.String() + " changes"
	}
	digits10.ready()
	return f, nil
}

// Reads tells whether texts can be read back; otherwise Decode fails with
// ErrWriteOnly.
func (f *Format) Reads() bool { return f != nil && f.zone != nil && f.writeOnly == "" }

// Append extends dst by the text of the fields. Fields that the Format doesn't
// write are ignored, except Group. It doesn't allocate where dst has room.
//
// The error is ErrRange for a number out of range or too large for the width;
// ErrGroup for a number without a group where one is written, a group where
// none is, and a group that is above 63 bytes, isn't visible ASCII or has the
// delimiter in it; ErrTime for a year outside 1000 to 9999, which that of the
// zero Time is, and in Readable for a time with a part below a millisecond.
// dst is then returned as it was.
func (f *Format) Append(dst []byte, v Fields) ([]byte, error) {
	if f == nil || f.zone == nil {
		return dst, zeroFormatError()
	}
	at := len(dst)
	if !f.leadFirst {
		dst = append(dst, f.prefix...)
	}
	dst, err := f.appendLead(dst, v)
	if err != nil {
		return dst[:at], err
	}
	if f.leadFirst {
		dst = append(dst, f.prefix...)
	}
	if f.readable {
		dst, err = appendReadable(dst, v, f.zone)
	} else {
		dst, err = f.digits.append(dst, v.Number)
	}
	if err != nil {
		return dst[:at], err
	}
	return append(dst, f.suffix...), nil
}

// Encode returns the text of the fields. The errors are those of Append.
func (f *Format) Encode(v Fields) (string, error) {
	const usual = 64 // longer texts grow it
	buf, err := f.Append(make([]byte, 0, usual), v)
	if err != nil {
		return "", err
	}
	// Nothing else refers to buf, so the string may have it without a copy.
	return unsafe.String(unsafe.SliceData(buf), len(buf)), nil
}

func (f *Format) appendLead(dst []byte, v Fields) ([]byte, error) {
	if !f.group {
		if v.Group != "" {
			return dst, fmt.Errorf("%w: number %d of group %.63q, in a format without groups", ErrGroup, v.Number, v.Group)
		}
		if f.date == "" {
			return dst, nil
		}
		dst, err := appendDate(dst, v.Time.In(f.zone), f.date)
		return append(dst, f.delimiter...), err
	}
	if v.Group == "" {
		return dst, fmt.Errorf("%w: number %d has none", ErrGroup, v.Number)
	}
	if len(v.Group) > maxPart {
		return dst, fmt.Errorf("%w: %.63q... is %d bytes, above %d", ErrGroup, v.Group, len(v.Group), maxPart)
	}
	if i := invisible(v.Group); i < len(v.Group) {
		return dst, fmt.Errorf("%w: %q has byte %#02x at %d, outside 0x21 to 0x7e", ErrGroup, v.Group, v.Group[i], i)
	}
	at := len(dst)
	dst = append(append(dst, v.Group...), f.delimiter...)
	// The delimiter must not be found earlier than where it stands. A group
	// that ends in what begins it, such as a- before --, would do that too.
	for i := range len(v.Group) {
		if f.delimiter != "" && string(dst[at+i:][:len(f.delimiter)]) == f.delimiter {
			return dst, fmt.Errorf("%w: %q would end at %d by delimiter %q", ErrGroup, v.Group, i, f.delimiter)
		}
	}
	return dst, nil
}

func zeroFormatError() error {
	return fmt.Errorf("%w: a zero Format has no text", ErrFormat)
}
