package encode

import (
	"errors"
	"fmt"
	"time"
)

// Base is how a Format writes the number itself, its innermost part. The zero
// value is Radix10.
type Base uint8

const (
	// Radix10 is 0-9. Width is the least number of digits: shorter numbers get
	// zeros on the left, longer ones are not cut. Width 0 to 19; 0 pads none.
	Radix10 Base = iota

	// Radix36 is 0-9A-Z. Width is the exact number of digits, 1 to 13, or 0
	// for as many as the largest number has: 13 for 63 bits.
	Radix36

	// Radix62 is 0-9A-Za-z. Width is the exact number of digits, 1 to 11, or 0
	// for as many as the largest number has: 11 for 63 bits.
	Radix62

	// Readable writes the parts of a clock-driven id instead of its number:
	// 20220320133617924-5-0 is the time to the millisecond in Zone, node 5,
	// sequence 0. It has no place for a partition, so ids of two partitions
	// can have one text: it is for layouts without partitions.
	Readable
)

// FormatOptions are the settings of a Format. They are part of the data
// format: chosen once, never changed for stored texts. The zero value writes
// plain decimal numbers.
//
// A text is made from the inside out. The number gets the lead, which is
// "{group}{delimiter}" or "{date}{delimiter}", then the prefix, then the
// suffix: BIZ-20260101-00000001. With LeadFirst the prefix comes before the
// lead does, and so stands inside of it: 20260101-BIZ-00000001.
type FormatOptions struct {
	// Base and Width say how the number is written; the constants of Base say
	// what Width means for each. Readable takes no Width.
	Base  Base
	Width int

	// Unpadded writes Radix36 and Radix62 without leading zeros. Width is then
	// the greatest number of digits.
	Unpadded bool

	// Bits bounds the number: it is 1 to 2^Bits-1. 0 is 63. Readable takes
	// none; its node and sequence are 0 to 2^63-1.
	Bits int

	// Group makes the group of a grouped number the lead. Not with Readable.
	Group bool

	// Date makes the date of the id's own time in Zone the lead. It is "2006",
	// "200601" or "20060102" in the notation of package time, or one of "06",
	// "0601" and "060102", which can't be read back: no century is guessed.
	// Empty: no date. Not with Group, whose numbers have their group as date,
	// and not with Readable, which has the whole time.
	Date string

	// Delimiter is 1 to 63 bytes between lead and number. Empty is "-".
	Delimiter string

	// Undelimited writes nothing between lead and number. Dates are read back
	// all the same, having one length. Groups aren't, and then two groups can
	// have one text, (2, 61) and (26, 1) for one, unless all groups have one
	// length.
	Undelimited bool

	// LeadFirst puts the lead before the prefix.
	LeadFirst bool

	// Prefix and Suffix are up to 63 bytes each, always written and always
	// required. They, Delimiter and groups are of visible ASCII characters,
	// 0x21 to 0x7e.
	Prefix, Suffix string

	// Zone is that of Readable and Date. Nil is UTC. Texts are read back in
	// UTC and fixed offsets only, since a zone that changes its offset writes
	// two instants alike. time.Local is refused: texts would depend on the
	// machine.
	Zone *time.Location
}

// Longest widths, those of 63 bits.
var maxWidths = [...]int{Radix10: 19, Radix36: 13, Radix62: 11}

// violations are what can't be used, nil if everything can. They are all of
// class ErrFormat, but for Bits.
func (o *FormatOptions) violations() error {
	var errs []error
	refuse := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrFormat}, args...)...))
	}
	switch {
	case o.Base > Readable:
		refuse("base %d is above %d", o.Base, Readable)
	case o.Base == Readable:
		if o.Width != 0 || o.Bits != 0 || o.Unpadded {
			refuse("readable takes no width (%d), bits (%d) or unpadded (%t)", o.Width, o.Bits, o.Unpadded)
		}
		if o.Group || o.Date != "" {
			refuse("readable takes no group (%t) or date (%q)", o.Group, o.Date)
		}
	default:
		if o.Width < 0 || o.Width > maxWidths[o.Base] {
			refuse("width %d is outside 0 to %d", o.Width, maxWidths[o.Base])
		}
		if o.Unpadded && o.Base == Radix10 {
			refuse("unpadded decimal is that of width 0")
		}
	}
	if o.Bits != 0 {
		_, err := largestOf(o.Bits)
		errs = append(errs, err)
	}
	if o.Group && o.Date != "" {
		refuse("group and date %q exclude each other", o.Date)
	}
	if o.Date != "" && !knownDate(o.Date) {
		refuse("date %.63q is none of 2006, 200601, 20060102, 06, 0601 and 060102", o.Date)
	}
	if !o.Group && o.Date == "" && (o.Delimiter != "" || o.Undelimited || o.LeadFirst) {
		refuse("delimiter %.63q, undelimited (%t) and lead first (%t) need a group or a date", o.Delimiter, o.Undelimited, o.LeadFirst)
	}
	if o.Delimiter != "" && o.Undelimited {
		refuse("undelimited has delimiter %.63q", o.Delimiter)
	}
	for _, part := range []struct{ name, text string }{{"prefix", o.Prefix}, {"suffix", o.Suffix}, {"delimiter", o.Delimiter}} {
		if len(part.text) > maxPart {
			refuse("%s %.63q... is %d bytes, above %d", part.name, part.text, len(part.text), maxPart)
		} else if at := invisible(part.text); at < len(part.text) {
			refuse("%s %q has byte %#02x at %d, outside 0x21 to 0x7e", part.name, part.text, part.text[at], at)
		}
	}
	switch {
	case o.Zone == time.Local:
		refuse("zone is time.Local, which differs between machines")
	case o.Zone != nil && o.Base != Readable && o.Date == "":
		refuse("zone %v needs readable or a date", o.Zone)
	}
	return errors.Join(errs...)
}

// maxPart bounds prefix, suffix, delimiter and group.
const maxPart = maxPrefix

// invisible returns the position of the first byte that isn't a visible ASCII
// character, len(text) when there is none.
func invisible(text string) int {
	for i := range len(text) {
		if text[i] <= ' ' || text[i] > '~' {
			return i
		}
	}
	return len(text)
}
