package stamp

import (
	"errors"
	"fmt"

	"github.com/stampid/go-stamp/encode"
)

// ErrMismatch is matched by errors about a text, or an id with a group, whose
// date or group isn't that of its own number. See [MismatchError].
var ErrMismatch = errors.New("stamp: date or group isn't that of the id")

// MismatchError matches [ErrMismatch], and [ErrSyntax] since no id has such a
// text.
type MismatchError struct {
	What      string // "text" or "group"
	Got, Want string // Got is cut to its first 128 bytes
	ID        ID
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("stamp: %s %q isn't that of id %d, which is %q", e.What, e.Got, int64(e.ID), e.Want)
}

// Is reports whether target is [ErrMismatch] or [ErrSyntax].
func (e *MismatchError) Is(target error) bool { return target == ErrMismatch || target == ErrSyntax }

// Decode returns the id of a text. It accepts the one text that Encode gives
// for an id, and nothing else: the error is [ErrPrefix], [ErrSyntax] or
// [ErrRange], and [ErrMismatch] besides ErrSyntax if the text's date is another
// than that of its number. It is encode.ErrWriteOnly when Reads is false, and
// [ErrGrouped] where an id isn't unique without its group. The id is then 0.
func (f *Format) Decode(text string) (ID, error) {
	if err := f.made(); err != nil {
		return 0, err
	}
	if f.grouped && f.calendar == nil {
		return 0, &GroupedError{SequenceID: f.id, Layout: f.config.settings.Layout}
	}
	fields, err := f.decode(text)
	if err != nil {
		return 0, err
	}
	id, err := f.compose(fields)
	if err != nil {
		return 0, outOfRange(text, err)
	}
	again, err := f.Encode(id)
	if err != nil {
		return 0, outOfRange(text, err)
	}
	if again != text {
		return 0, &MismatchError{What: "text", Got: kept(text), Want: again, ID: id}
	}
	return id, nil
}

// DecodeGrouped returns the id of a text together with its group. The errors
// are those of Decode but ErrGrouped, and [ErrUngrouped] where there are no
// groups.
func (f *Format) DecodeGrouped(text string) (Grouped, error) {
	if err := f.made(); err != nil {
		return Grouped{}, err
	}
	if !f.grouped {
		return Grouped{}, ungrouped(f.id)
	}
	if f.calendar != nil {
		id, err := f.Decode(text)
		if err != nil {
			return Grouped{}, err
		}
		parts, err := f.config.Unpack(id)
		if err != nil {
			return Grouped{}, err
		}
		group, err := f.groupOf(parts)
		if err != nil {
			return Grouped{}, outOfRange(text, err)
		}
		return Grouped{ID: id, Group: group, Day: f.calendar.epoch + int64(parts.Time)}, nil
	}
	fields, err := f.decode(text)
	if err != nil {
		return Grouped{}, err
	}
	day, err := f.day(fields.Group)
	if err != nil {
		return Grouped{}, badGroup(text, err)
	}
	id := ID(fields.Number)
	if err := checkID(int64(id), f.config.largest); err != nil {
		return Grouped{}, outOfRange(text, err)
	}
	return Grouped{ID: id, Group: fields.Group, Day: day}, nil
}

func (f *Format) decode(text string) (encode.Fields, error) {
	if f.writeOnly {
		return encode.Fields{}, fmt.Errorf("stamp: %w: groups of %q lack their century", encode.ErrWriteOnly, f.id)
	}
	return f.text.Decode(text)
}

// compose makes an id of what a text says.
func (f *Format) compose(v encode.Fields) (ID, error) {
	layout, scale := f.config.settings.Layout, f.config.settings.Timescale
	switch {
	case f.options.Base == encode.Readable:
		units := scale.Units(v.Time)
		if units < 0 {
			return 0, fmt.Errorf("%w: %s is before the epoch %s", ErrOutOfRange, v.Time, scale.Epoch)
		}
		return f.config.Compose(Parts{Time: uint64(units), Node: v.Node, Sequence: v.Sequence})
	case f.options.Group:
		day, err := f.group.FirstDay(v.Group)
		if err != nil {
			return 0, err
		}
		if day < f.calendar.epoch {
			return 0, fmt.Errorf("%w: group %q is before the epoch %s", ErrOutOfRange, v.Group, scale.Epoch)
		}
		return f.config.Compose(Parts{
			Partition: v.Number >> layout.Sequence,
			Time:      uint64(day - f.calendar.epoch),
			Sequence:  v.Number & layout.MaxSequence(),
		})
	}
	return ID(v.Number), checkID(int64(v.Number), f.config.largest)
}

// outOfRange is the error of a text that has the right form, but no id.
func outOfRange(text string, err error) error {
	if errors.Is(err, ErrGroup) {
		return badGroup(text, err)
	}
	return fmt.Errorf("stamp: %w: text %q: %w", ErrRange, kept(text), err)
}

// badGroup is the error of a text whose group is none.
func badGroup(text string, err error) error {
	return fmt.Errorf("stamp: %w: text %q: %w", ErrSyntax, kept(text), err)
}

// kept is what errors show of a text.
func kept(text string) string { return text[:min(len(text), 128)] }
