package watching

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// none stands for a figure that there isn't.
const none = "-"

// shortNumber has up to three digits and a letter for the thousands: 950, 1.2k,
// 9.2E.
func shortNumber(n float64) string {
	const letters = "kMGTPE"
	if n < 999.5 {
		if n == math.Trunc(n) || n >= 99.95 {
			return strconv.FormatFloat(n, 'f', 0, 64)
		}
		return strconv.FormatFloat(n, 'f', 1, 64)
	}
	for i := range len(letters) {
		if n /= 1000; n < 999.5 || i == len(letters)-1 {
			decimals := 0
			if n < 9.95 {
				decimals = 1
			}
			return strconv.FormatFloat(n, 'f', decimals, 64) + letters[i:i+1]
		}
	}
	return ""
}

// shortDuration has two figures at the most: 35ms, 4.2s, 3h12m, 40d, 1200y.
func shortDuration(d time.Duration) string {
	const day, year = 24 * time.Hour, 365 * 24 * time.Hour
	switch {
	case d == Forever:
		return none
	case d <= 0:
		return "0s"
	case d < time.Microsecond:
		return d.String()
	case d < time.Millisecond:
		return d.Round(time.Microsecond).String()
	case d < time.Second-time.Millisecond/2:
		return d.Round(time.Millisecond).String()
	case d < 10*time.Second:
		return d.Round(100 * time.Millisecond).String()
	case d < time.Minute:
		return d.Round(time.Second).String()
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	case d < day:
		return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
	case d < year:
		return fmt.Sprintf("%dd", d/day)
	}
	return fmt.Sprintf("%dy", d/year)
}
