package plan

import (
	"strconv"
	"strings"
)

// manyDigits is from where on a count is too long to be read digit by digit.
const manyDigits = 1e15

// Count writes a number with commas: "32,768".
func Count(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	var b strings.Builder
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	return b.String()
}

// Rate writes a number of ids per second: as Count from 10 on, rounded down,
// since the next higher one can't be had; with three digits where it is smaller,
// or longer than anyone reads.
func Rate(perSecond float64) string {
	if perSecond < 10 || perSecond >= manyDigits {
		return strconv.FormatFloat(perSecond, 'g', 3, 64)
	}
	return Count(uint64(perSecond))
}

// Span writes a number of years, not negative: "69.3 years", "12 days".
func Span(years float64) string {
	switch {
	case years < 1:
		return strconv.FormatFloat(years*year/86400, 'f', 0, 64) + " days"
	case years >= 10000:
		return Rate(years) + " years"
	}
	return strconv.FormatFloat(years, 'f', 1, 64) + " years"
}
