package stamp

import (
	"fmt"
	"strings"

	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/sequence/segment"
)

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
