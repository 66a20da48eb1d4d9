package segment

import (
	"fmt"
	"time"
)

// Name returns the name of the group by time whose first day is day, in days
// from 1970-01-01. The error is [ErrGroup] for a day that begins no group, and
// for groups that aren't by time.
func (g Group) Name(day int64) (string, error) {
	date := time.Unix(day*secondsOfDay, 0).UTC()
	if !g.begins(date) {
		return "", fmt.Errorf("%w: none by %v begins on %s", ErrGroup, g.Period, date.Format(time.DateOnly))
	}
	return date.Format(g.calendar().layout), nil
}

// FirstDay is the reverse of Name. The error is [ErrGroup] for what is no
// group's name. A Layout that leaves out the century doesn't tell years apart
// that are a hundred years from each other; see Tells.
func (g Group) FirstDay(name string) (day int64, err error) {
	if g.Period == NoPeriod || g.Period > Day {
		return 0, fmt.Errorf("%w: name %.63q of groups that aren't by time", ErrGroup, name)
	}
	layout := g.calendar().layout
	date, err := time.Parse(layout, name)
	if err != nil || !g.begins(date) || date.Format(layout) != name {
		return 0, fmt.Errorf("%w: name %.63q, want a %v as in %s", ErrGroup, name, g.Period, layout)
	}
	return date.Unix() / secondsOfDay, nil
}

// Tells reports whether FirstDay gives back the day of each name.
func (g Group) Tells() bool {
	if g.Period == NoPeriod || g.Period > Day {
		return false
	}
	for year := 1900; year < 2200; year++ {
		date := time.Date(year, time.January, 1, 0, 0, 0, 0, time.UTC)
		if day, err := g.FirstDay(date.Format(g.calendar().layout)); err != nil || day != date.Unix()/secondsOfDay {
			return false
		}
	}
	return true
}

// Begin returns the first instant, in Zone, whose local date is day or later. That
// is midnight, but where clocks are put forward over midnight, or over a whole
// day.
func (g Group) Begin(day int64) time.Time {
	c := calendar{zone: g.Zone}
	if c.zone == nil {
		c.zone = time.UTC
	}
	return c.first(time.Unix(day*secondsOfDay, 0).UTC()).In(c.zone)
}

// begins tells whether a date, a midnight of UTC, is the first of a period.
func (g Group) begins(date time.Time) bool {
	if g.Period == NoPeriod || g.Period > Day {
		return false
	}
	first, _ := g.Period.days(date.Date())
	return date.Equal(first)
}
