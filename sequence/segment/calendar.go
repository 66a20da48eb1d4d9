package segment

import (
	"fmt"
	"time"
)

// Period is how long a group by time lasts.
type Period uint8

const (
	// NoPeriod is the zero value: no groups by time.
	NoPeriod Period = iota
	// Year begins a group on each 1 January.
	Year
	// Month begins a group on the first of each month.
	Month
	// Day begins a group at each midnight.
	Day
)

func (p Period) String() string {
	switch p {
	case NoPeriod:
		return "none"
	case Year:
		return "year"
	case Month:
		return "month"
	case Day:
		return "day"
	}
	return fmt.Sprintf("Period(%d)", uint8(p))
}

// layout is the default one of a period.
func (p Period) layout() string {
	return [...]string{"", "2006", "200601", "20060102"}[p]
}

const secondsOfDay = 24 * 60 * 60

// group is a group that segments belong to. Generators without groups have a
// single one, without a name.
type group struct {
	name string
	day  int64     // its first day, in days since 1970-01-01; 0 unless by time
	end  time.Time // first instant after it; zero unless by time
}

// calendar divides time into groups.
type calendar struct {
	period Period
	layout string
	zone   *time.Location
}

// at is the group that an instant lies in. Its name is that of the period's
// first day, so a layout that tells more than the period doesn't split it.
func (c *calendar) at(t time.Time) *group {
	first, next := c.period.days(t.In(c.zone).Date())
	return &group{name: first.Format(c.layout), day: first.Unix() / secondsOfDay, end: c.begin(t, next)}
}

// days are the first day of a date's period and of the next one, as midnights
// of UTC.
func (p Period) days(year int, month time.Month, day int) (first, next time.Time) {
	switch p {
	case Year:
		month, day = time.January, 1
	case Month:
		day = 1
	}
	first = time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	switch p {
	case Year:
		return first, first.AddDate(1, 0, 0)
	case Month:
		return first, first.AddDate(0, 1, 0)
	}
	return first, first.AddDate(0, 0, 1)
}

// begin is the first instant, from t on, whose local date is day or later. In
// some zones that isn't midnight, and some have skipped a whole day, so the
// zone's own changes are gone through one by one.
func (c *calendar) begin(t, day time.Time) time.Time {
	for {
		local := t.In(c.zone)
		_, offset := local.Zone()
		midnight := day.Add(-time.Duration(offset) * time.Second)
		if !midnight.After(t) {
			return t
		}
		change := changeAfter(local)
		if change.IsZero() || midnight.Before(change) {
			return midnight
		}
		t = change
	}
}

// changeAfter is when the zone's offset at t may end, zero if it doesn't. By a
// rule for all years, package time has them all last 365 days, so on the last
// day of a leap year what it answers lies behind; the offset ends with the year.
func changeAfter(t time.Time) time.Time {
	_, change := t.ZoneBounds()
	if !change.IsZero() && !change.After(t) {
		change = time.Date(t.UTC().Year()+1, time.January, 1, 0, 0, 0, 0, time.UTC)
	}
	return change
}

// first is begin for the day itself, from an instant that is before it in any
// zone.
func (c *calendar) first(day time.Time) time.Time {
	before := day.Add(-48 * time.Hour).In(c.zone)
	if from, to := before.ZoneBounds(); from.IsZero() && to.IsZero() { // whose offset can be of any size
		_, offset := before.Zone()
		return day.Add(-time.Duration(offset) * time.Second)
	}
	return c.begin(before, day)
}

// tells reports whether the layout gives each period a name of its own, tried
// on the first days of all years of a century and on all days of some. It
// can't ask for more than that: CosId's patterns may have two digits for the
// year.
func (c *calendar) tells() bool {
	names := map[string]bool{}
	for year := 2000; year < 2100; year++ {
		day, next := Year.days(year, time.January, 1)
		if year > 2001 && year%10 > 0 {
			next = day.AddDate(0, 0, 1)
		}
		for day.Before(next) {
			name := day.Format(c.layout)
			if name == "" || names[name] {
				return false
			}
			names[name] = true
			_, day = c.period.days(day.Date())
		}
	}
	return true
}
