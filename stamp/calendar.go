package stamp

import (
	"time"

	"github.com/stampid/go-stamp/sequence/segment"
)

const secondsOfDay = 24 * 60 * 60

// calendar counts civil days of a zone. A day is known by its distance from
// 1970-01-01.
type calendar struct {
	zone  *time.Location
	epoch int64  // the day that time fields count from
	limit uint64 // the largest time field
}

// dayOf is the day that an instant's local date is. The year must be one that
// people write.
func dayOf(t time.Time, zone *time.Location) int64 {
	year, month, day := t.In(zone).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / secondsOfDay
}

// civil is a day as a midnight of UTC.
func civil(day int64) time.Time { return time.Unix(day*secondsOfDay, 0).UTC() }

// begin is the first instant whose local date is a day or later.
func (c *calendar) begin(day int64) time.Time { return segment.Group{Zone: c.zone}.Begin(day) }

// end is the first instant that no time field stands for.
func (c *calendar) end() time.Time { return c.begin(c.epoch + int64(c.limit) + 1) }

// ceil is the time field of the first day that begins at t or later: 0 for all
// t before the epoch, limit+1 for all after the last day.
func (c *calendar) ceil(t time.Time) uint64 {
	switch {
	case !t.After(c.begin(c.epoch)):
		return 0
	case t.After(c.end()):
		return c.limit + 1
	}
	day := dayOf(t, c.zone) - 2 // at most one day begins together with the one after it
	for c.begin(day).Before(t) {
		day++
	}
	return uint64(max(day-c.epoch, 0))
}

// sameZone tells whether two zones are one: their names are the same, and so
// are their offsets from the year 1970 to 2200. A zone that is loaded twice has
// two pointers.
func sameZone(a, b *time.Location) bool {
	if a == b {
		return true
	}
	if a.String() != b.String() {
		return false
	}
	at, end := time.Unix(0, 0), time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)
	for !at.IsZero() && at.Before(end) {
		inA, inB := at.In(a), at.In(b)
		_, offsetA := inA.Zone()
		_, offsetB := inB.Zone()
		_, changeA := inA.ZoneBounds()
		_, changeB := inB.ZoneBounds()
		if offsetA != offsetB || !changeA.Equal(changeB) {
			return false
		}
		if !changeA.IsZero() && !changeA.After(at) { // so package time answers on the last day of a leap year
			changeA = at.Add(secondsOfDay * time.Second)
		}
		at = changeA
	}
	return true
}

// zoneOrUTC reads nil as UTC, as all options do.
func zoneOrUTC(zone *time.Location) *time.Location {
	if zone == nil {
		return time.UTC
	}
	return zone
}
