package encode

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

const (
	readableName  = "readable"
	readableTime  = "20060102150405000" // to the millisecond; digits in a row, which package time can't write
	readableParts = "-"
	readableMost  = 1<<63 - 1 // of node and sequence

	// A year has four digits, the first of which isn't 0.
	minYear, maxYear = 1000, 9999
)

// fixedOffset tells whether a zone has the same offset at all times.
func fixedOffset(zone *time.Location) bool {
	start, end := time.Unix(0, 0).In(zone).ZoneBounds()
	return start.IsZero() && end.IsZero()
}

func knownDate(layout string) bool {
	return slices.Contains([]string{"2006", "200601", "20060102", "06", "0601", "060102"}, layout)
}

func shortYear(layout string) bool { return strings.HasPrefix(layout, "06") }

// appendDate appends the date of t, which is in the Format's zone, in one of
// the known layouts.
func appendDate(dst []byte, t time.Time, layout string) ([]byte, error) {
	if t.Year() < minYear || t.Year() > maxYear {
		return dst, fmt.Errorf("%w: year %d is outside %d to %d", ErrTime, t.Year(), minYear, maxYear)
	}
	return t.AppendFormat(dst, layout), nil
}

// readDate returns the first instant of a date in digits with a year of four,
// and whether there is such a date.
func readDate(text string, zone *time.Location) (time.Time, bool) {
	month, day := 1, 1
	year := smallNumber(text[:4])
	if len(text) > 4 {
		month = smallNumber(text[4:6])
	}
	if len(text) > 6 {
		day = smallNumber(text[6:8])
	}
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, zone)
	// What doesn't exist, such as 30 February, comes out as another day.
	same := t.Year() == year && t.Month() == time.Month(month) && t.Day() == day
	return t, same && year >= minYear
}

// smallNumber returns the number of a few decimal digits.
func smallNumber(text string) int {
	n, _ := number(&digits10, text, readableMost)
	return int(n)
}

// appendReadable appends time, node and sequence.
func appendReadable(dst []byte, v Fields, zone *time.Location) ([]byte, error) {
	t := v.Time.In(zone)
	dst, err := appendDate(dst, t, "20060102150405")
	if err != nil {
		return dst, err
	}
	if t.Nanosecond()%int(time.Millisecond) != 0 {
		return dst, fmt.Errorf("%w: %d ns is no whole number of milliseconds", ErrTime, t.Nanosecond())
	}
	at := len(dst)
	dst = append(dst, "000"...)
	digits10.put(dst[at:], uint64(t.Nanosecond())/uint64(time.Millisecond))
	for _, part := range [...]struct {
		name  string
		value uint64
	}{{"node", v.Node}, {"sequence", v.Sequence}} {
		if part.value > readableMost {
			return dst, fmt.Errorf("%w: %s %d is above %d", ErrRange, part.name, part.value, uint64(readableMost))
		}
		dst = append(dst, readableParts...)
		at, width := len(dst), digits10.count(part.value)
		dst = slices.Grow(dst, width)[:at+width]
		digits10.put(dst[at:], part.value)
	}
	return dst, nil
}

// readable reads time, node and sequence.
func (r *formatReader) readable(v *Fields, zone *time.Location) error {
	text := r.rest()
	text = text[:min(len(text), len(readableTime))]
	if pos := foreign(&digits10, text); pos < len(readableTime) {
		return r.syntax(r.at + pos)
	}
	day, ok := readDate(text[:8], zone)
	hour, minute, second := smallNumber(text[8:10]), smallNumber(text[10:12]), smallNumber(text[12:14])
	if !ok {
		return r.syntax(r.at)
	}
	if hour > 23 || minute > 59 || second > 59 {
		return r.syntax(r.at + 8)
	}
	v.Time = day.Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute +
		time.Duration(second)*time.Second + time.Duration(smallNumber(text[14:]))*time.Millisecond)
	r.at += len(readableTime)
	err := r.expect(readableParts)
	if err == nil {
		node, _, _ := strings.Cut(r.rest(), readableParts)
		v.Node, err = r.part("node", len(node))
	}
	if err == nil {
		err = r.expect(readableParts)
	}
	if err == nil {
		v.Sequence, err = r.part("sequence", len(r.rest()))
	}
	return err
}

// part reads a decimal number of so many bytes, which may be 0.
func (r *formatReader) part(name string, width int) (uint64, error) {
	text := r.rest()[:width]
	if pos := foreign(&digits10, text); pos < width || width == 0 {
		return 0, r.syntax(r.at + pos)
	}
	if !leads(&digits10, text) {
		return 0, r.syntax(r.at)
	}
	if width <= maxWidths[Radix10] {
		// A number of 19 digits is below 2^64.
		if n, err := number(&digits10, text, readableMost/10); err == nil && n <= readableMost {
			r.at += width
			return n, nil
		}
	}
	return 0, fmt.Errorf("%w: readable text %q has a %s above %d", ErrRange, kept(r.text), name, uint64(readableMost))
}
