package ntpwatch

import (
	"slices"
	"time"
)

// minDistance keeps servers that are very near from contradicting each other
// over the drift of clocks between two replies: MINDISP of RFC 5905, halved as
// it is there.
const minDistance = 5 * time.Millisecond

// agree splits answers into those that can all be true, sorted by error bound,
// and the rest. It is the rule of Marzullo: an answer says that the truth is
// in an interval, and the point that lies in most of them has it. Without a
// majority nothing is agreed. With a tie of two majorities, which share an
// answer, the first in the order of the answers is taken.
func agree(answers []*Offset) (agreed, outliers []*Offset) {
	for _, candidate := range answers {
		// Intervals that share a point share the highest of their low ends.
		low, _ := candidate.interval()
		var in, out []*Offset
		for _, a := range answers {
			if l, h := a.interval(); l <= low && low <= h {
				in = append(in, a)
			} else {
				out = append(out, a)
			}
		}
		if len(in) > len(agreed) {
			agreed, outliers = in, out
		}
	}
	if 2*len(agreed) <= len(answers) {
		return nil, answers
	}
	slices.SortStableFunc(agreed, func(a, b *Offset) int { return int(min(max(a.Bound-b.Bound, -1), 1)) })
	return agreed, outliers
}

func (o *Offset) interval() (low, high time.Duration) {
	distance := max(o.Bound, minDistance)
	return o.Offset - distance, o.Offset + distance
}
