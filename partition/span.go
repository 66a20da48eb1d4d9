package partition

import (
	"fmt"
	"strconv"
	"strings"
)

// Span is the partitions of a layout from First to Last, both inclusive, whose
// ids share one partition of a table.
type Span struct {
	First, Last uint64
}

// Single returns the span of partition p alone.
func Single(p uint64) Span { return Span{First: p, Last: p} }

// String returns the span as the names of partitions have it: "3" for a single
// partition, "4_7" for several. No two spans have the same.
func (s Span) String() string {
	if s.First == s.Last {
		return strconv.FormatUint(s.First, 10)
	}
	return fmt.Sprintf("%d_%d", s.First, s.Last)
}

func (s Span) check(last uint64) error {
	if s.First > s.Last || s.Last > last {
		return &SpanError{Span: s, Max: last}
	}
	return nil
}

// parseSpan is the opposite of String.
func parseSpan(text string) (Span, bool) {
	from, to, several := strings.Cut(text, "_")
	if !several {
		to = from
	}
	first, errFirst := strconv.ParseUint(from, 10, 64)
	last, errLast := strconv.ParseUint(to, 10, 64)
	s := Span{First: first, Last: last}
	// Only one text is a span's: "03", "+3" and "3_3" are none.
	return s, errFirst == nil && errLast == nil && s.String() == text
}
