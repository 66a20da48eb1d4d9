package stamp

import (
	"fmt"
	"time"

	"github.com/stampid/go-stamp/bits"
)

// Parts are the fields of an id. Has tells which of them the layout has.
type Parts = bits.Parts

// Unpack takes an id apart. The error is [ErrOutOfRange] for what can't be an
// id of the layout.
func (c *Config) Unpack(id ID) (Parts, error) {
	if err := checkID(int64(id), c.largest); err != nil {
		return Parts{}, err
	}
	return c.settings.Layout.Unpack(int64(id))
}

// Time returns when an id was made, in UTC: the instant at which its unit of
// time began. With a Source it is the first instant of its group's first day,
// in Options.Zone: midnight, unless clocks were put forward over it.
//
// The error is [ErrOutOfRange] for what can't be an id of the layout, and
// [ErrNoTime] for a layout without time bits.
func (c *Config) Time(id ID) (time.Time, error) {
	parts, err := c.Unpack(id)
	if err != nil {
		return time.Time{}, err
	}
	if c.source != nil {
		return c.source.time(parts.Time)
	}
	return c.settings.Timescale.Time(parts.Time), nil
}

// Compose makes an id of parts; Has is ignored. It is pure: whether the id is
// unique is the caller's part. It is for tests, and for giving ids to rows of
// the past. The error joins a *bits.ValueError for each part that doesn't fit,
// and refuses the parts that would make 0.
func (c *Config) Compose(parts Parts) (ID, error) {
	id, err := c.settings.Layout.Pack(parts)
	return ID(id), err
}

// PartitionRange returns the first and last id of a partition, both inclusive
// and so right for BETWEEN. Without partition bits only partition 0 exists. The
// error is [ErrOutOfRange].
func (c *Config) PartitionRange(partition uint64) (bits.Range, error) {
	return c.settings.Layout.PartitionRange(partition)
}

// TimeRange returns the ids of a partition (0 without partitions) whose Time
// is in [from, to), as an inclusive pair for BETWEEN. Neighbouring ranges
// neither overlap nor leave gaps. An id's Time is the beginning of its unit.
//
// Times before the epoch and after the layout's end count as those. If no id
// can lie in the range it is empty: First is above Last, and BETWEEN finds
// nothing. The error is [ErrOutOfRange] for a partition that doesn't fit,
// [ErrReversed] for a to before from, and [ErrNoTime] for a layout without time
// bits.
func (c *Config) TimeRange(partition uint64, from, to time.Time) (bits.Range, error) {
	if to.Before(from) {
		return bits.Range{}, &ReversedError{From: from, To: to}
	}
	layout := c.settings.Layout
	if layout.Time == 0 {
		return bits.Range{}, fmt.Errorf("%w: %v", ErrNoTime, layout)
	}
	first, past := c.ceil(from), c.ceil(to)
	if first == past {
		all, err := layout.PartitionRange(partition)
		if err != nil {
			return bits.Range{}, err
		}
		return bits.Range{First: all.First, Last: all.First - 1}, nil
	}
	return layout.TimeRange(partition, first, past-1)
}

// ceil is the first time field whose Time is t or later, 0 to one above the
// largest.
func (c *Config) ceil(t time.Time) uint64 {
	if c.source != nil {
		return c.source.calendar.ceil(t)
	}
	units := c.settings.Timescale.UnitsCeil(t)
	return uint64(min(max(units, 0), int64(c.settings.Layout.MaxTime())+1))
}
