package stamp

import (
	"errors"
	"fmt"
	"time"

	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/sequence/segment"
)

// Format writes the ids of one sequence as business numbers, such as
// BIZ-20260101-00000001, and reads them back. It gives an encode.Format what it
// can't know: an id's time and group, and that those of a text are its number's.
//
// What is written as the number depends on FormatOptions.Group. Without it, it
// is the whole id. With it, it is the id without its time: the number within the
// group and, where there are partitions, the partition in the bits above it.
//
// A Format is immutable and safe for concurrent use. The zero value and nil
// write and read nothing: each call fails with encode.ErrFormat.
type Format struct {
	config   *Config
	id       string // of the sequence
	text     *encode.Format
	options  encode.FormatOptions
	group    segment.Group
	grouped  bool
	calendar *calendar // with a source that has time bits
	// writeOnly is set where a group doesn't tell its day.
	writeOnly bool
}

// NewFormat checks options. Like [NewConfig] it is pure. The error joins every
// violation, as encode.ErrFormat and encode.ErrBits; it is [ErrNoID],
// [ErrUnknownName] or [ErrSource] where the Source has no such ids.
//
//   - Group takes a generator with groups, and must be set where the groups
//     aren't in time bits: a number alone would be that of many groups.
//   - Date and Readable take time bits. Readable has no place for a partition,
//     and takes whole milliseconds.
//   - Bits 0 is as many as the number can have.
//   - Zone can't be another than Options.Zone, if there is a Source. Dates are
//     then read back in any zone.
func NewFormat(sequenceID string, c *Config, o encode.FormatOptions) (*Format, error) {
	f := &Format{config: c, id: sequenceID}
	if c.source != nil {
		u, err := c.source.find(sequenceID)
		if err != nil {
			return nil, err
		}
		f.group, f.grouped, f.calendar = u.group, u.grouped(), c.source.calendar
	}
	violations := f.violations(o)
	if f.calendar != nil && (o.Zone == nil || sameZone(o.Zone, f.calendar.zone)) {
		o.Zone = nil // dates are written as those of UTC, see Fields
	}
	if o.Bits == 0 && o.Base != encode.Readable {
		o.Bits = f.bits(o)
	}
	text, err := encode.NewFormat(o)
	if err := errors.Join(violations, err); err != nil {
		return nil, err
	}
	f.text, f.options = text, o
	f.writeOnly = o.Group && f.group.Period != segment.NoPeriod && !f.group.Tells()
	if err := f.tryGroup(); err != nil {
		return nil, err
	}
	return f, nil
}

// made refuses the zero value.
func (f *Format) made() error {
	if f == nil || f.text == nil {
		return fmt.Errorf("stamp: %w: a zero Format; make one with NewFormat", encode.ErrFormat)
	}
	return nil
}

func (f *Format) violations(o encode.FormatOptions) error {
	var errs []error
	refuse := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("stamp: %w: "+format, append([]any{encode.ErrFormat}, args...)...))
	}
	layout, scale := f.config.settings.Layout, f.config.settings.Timescale
	readable := o.Base == encode.Readable
	switch {
	case o.Group && !f.grouped:
		refuse("a group, but %q has none", f.id)
	case !o.Group && f.grouped && f.calendar == nil:
		refuse("no group, but numbers of %q are unique in theirs only", f.id)
	}
	if layout.Time == 0 && (readable || o.Date != "") {
		refuse("readable (%t) or date %.63q, but layout %v has no time bits", readable, o.Date, layout)
	}
	if readable && layout.Partition > 0 {
		refuse("readable has no place for the %d partition bits of layout %v", layout.Partition, layout)
	}
	if readable && layout.Time > 0 && (scale.Unit%time.Millisecond != 0 || scale.Epoch.Nanosecond()%int(time.Millisecond) != 0) {
		refuse("readable writes milliseconds, the unit is %v from %s", scale.Unit, scale.Epoch.Format(time.RFC3339Nano))
	}
	if f.calendar != nil && o.Zone != nil && !sameZone(o.Zone, f.calendar.zone) {
		refuse("zone is %v, Options.Zone is %v", o.Zone, f.calendar.zone)
	}
	return errors.Join(errs...)
}

// bits are those of the largest number.
func (f *Format) bits(o encode.FormatOptions) int {
	layout := f.config.settings.Layout
	if o.Group {
		return layout.Partition + layout.Sequence
	}
	return layout.Width()
}

// tryGroup finds out about groups by time that the text has no place for, as
// one with the delimiter in its name.
func (f *Format) tryGroup() error {
	if !f.options.Group || f.group.Period == segment.NoPeriod {
		return nil
	}
	const newYear = 20454 // the first of January 2026 begins a group by any period
	name, err := f.group.Name(newYear)
	if err == nil {
		_, err = f.text.Encode(encode.Fields{Number: 1, Group: name})
	}
	if err != nil {
		return fmt.Errorf("stamp: %w: %w", encode.ErrFormat, err)
	}
	return nil
}

// Reads tells whether texts can be read back; otherwise the error of reading is
// encode.ErrWriteOnly. See encode.Format.Reads; a group without its century
// can't be read back either.
func (f *Format) Reads() bool { return f.made() == nil && f.text.Reads() && !f.writeOnly }
