package stamp

import (
	"errors"
	"fmt"
	"strings"
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

// Encode returns the text of an id. The error is [ErrRange] for what can't be
// an id of the layout, [ErrGrouped] where the text needs the group that the id
// doesn't tell, and those of encode.Format.
func (f *Format) Encode(id ID) (string, error) {
	fields, err := f.Fields(id)
	if err != nil {
		return "", err
	}
	return f.text.Encode(fields)
}

// Append appends the text of an id to dst. The errors are those of Encode; dst
// is then returned as it was.
func (f *Format) Append(dst []byte, id ID) ([]byte, error) {
	fields, err := f.Fields(id)
	if err != nil {
		return dst, err
	}
	return f.text.Append(dst, fields)
}

// EncodeGrouped returns the text of an id with its group. The errors are those
// of Encode, [ErrUngrouped] where there are no groups, [ErrMismatch] where the
// group isn't that of the id, and [ErrGroup] where it is no group's name.
func (f *Format) EncodeGrouped(v Grouped) (string, error) {
	fields, err := f.GroupedFields(v)
	if err != nil {
		return "", err
	}
	return f.text.Encode(fields)
}

// AppendGrouped appends the text of an id with its group to dst. The errors are
// those of EncodeGrouped; dst is then returned as it was.
func (f *Format) AppendGrouped(dst []byte, v Grouped) ([]byte, error) {
	fields, err := f.GroupedFields(v)
	if err != nil {
		return dst, err
	}
	return f.text.Append(dst, fields)
}

// Fields are what Encode writes, for an encode.Format of one's own. Time is the
// id's own time in UTC. With a Source it has the date in Options.Zone as that
// of UTC, since a day has no time of day that all zones have.
func (f *Format) Fields(id ID) (encode.Fields, error) {
	if err := f.made(); err != nil {
		return encode.Fields{}, err
	}
	parts, err := f.config.Unpack(id)
	if err != nil {
		return encode.Fields{}, err
	}
	if f.grouped && f.calendar == nil {
		return encode.Fields{}, &GroupedError{SequenceID: f.id, Layout: f.config.settings.Layout}
	}
	v := encode.Fields{Number: uint64(id), Node: parts.Node, Sequence: parts.Sequence}
	if parts.Has.Time {
		v.Time = f.config.settings.Timescale.Time(parts.Time)
	}
	if f.options.Group {
		v.Number = f.number(parts)
		v.Group, err = f.groupOf(parts)
	}
	return v, err
}

// GroupedFields are what EncodeGrouped writes, like Fields.
func (f *Format) GroupedFields(v Grouped) (encode.Fields, error) {
	if err := f.made(); err != nil {
		return encode.Fields{}, err
	}
	if !f.grouped {
		return encode.Fields{}, ungrouped(f.id)
	}
	parts, err := f.config.Unpack(v.ID)
	if err != nil {
		return encode.Fields{}, err
	}
	if f.calendar != nil {
		own, err := f.groupOf(parts)
		if err == nil && own != v.Group {
			err = &MismatchError{What: "group", Got: v.Group, Want: own, ID: v.ID}
		}
		if err != nil {
			return encode.Fields{}, err
		}
		return f.Fields(v.ID)
	}
	if _, err := f.day(v.Group); err != nil {
		return encode.Fields{}, err
	}
	return encode.Fields{Number: f.number(parts), Group: v.Group, Sequence: parts.Sequence}, nil
}

// number is an id without its time.
func (f *Format) number(parts Parts) uint64 {
	return parts.Partition<<f.config.settings.Layout.Sequence | parts.Sequence
}

// groupOf is the group in the time bits.
func (f *Format) groupOf(parts Parts) (string, error) {
	return f.group.Name(f.calendar.epoch + int64(parts.Time))
}

// day is the first day of a group, 0 if it is none by time. It is the check of
// a group's name, as far as it can be checked.
func (f *Format) day(group string) (int64, error) {
	switch {
	case f.group.Period == segment.NoPeriod:
		if group == "" || strings.ContainsAny(group, "@#") {
			return 0, fmt.Errorf("stamp: %w: name %.63q is empty or has a @ or #", ErrGroup, group)
		}
		return 0, nil
	case f.writeOnly:
		return 0, nil
	}
	return f.group.FirstDay(group)
}
