package view

import (
	"fmt"
	"math"
	"time"
)

// Age says in words how long before now t was, or how long after.
func Age(t, now time.Time) string {
	seconds := Seconds(t, now)
	if seconds < 0 {
		return "in " + span(-seconds)
	}
	return span(seconds) + " ago"
}

// Seconds is how long before now t was, to the millisecond; negative for a t
// after now. It is right for distances that no time.Duration holds.
func Seconds(t, now time.Time) float64 {
	whole := float64(now.Unix() - t.Unix())
	return math.Round((whole+float64(now.Nanosecond()-t.Nanosecond())/1e9)*1e3) / 1e3
}

// span gives a duration in its two largest units.
func span(seconds float64) string {
	const minute, hour, day, year = 60, 3600, 86400, 365 * 86400
	switch whole := math.Floor(seconds); {
	case seconds < 1:
		return fmt.Sprintf("%.0f ms", seconds*1e3)
	case whole < minute:
		return fmt.Sprintf("%.0f s", whole)
	case whole < hour:
		return pair(whole, minute, "min", 1, "s")
	case whole < day:
		return pair(whole, hour, "h", minute, "min")
	case whole < year:
		return pair(whole, day, "d", hour, "h")
	default:
		return pair(whole, year, "y", day, "d")
	}
}

func pair(seconds, large float64, largeName string, small float64, smallName string) string {
	return fmt.Sprintf("%.0f %s %.0f %s", math.Floor(seconds/large), largeName,
		math.Floor(math.Mod(seconds, large)/small), smallName)
}
