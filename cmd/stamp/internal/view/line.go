package view

import (
	"strconv"
	"strings"
)

// AppendLine appends the id as a line of columns, which line up for ids of one
// format and text form. It ends in a line feed.
func (v View) AppendLine(dst []byte) []byte {
	if v.Text != strconv.FormatInt(v.ID, 10) {
		dst = append(append(dst, v.Text...), "  "...)
	}
	dst = pad(dst, uint64(v.ID), uint64(v.Format.Layout.MaxID()))
	if v.Parts.Has.Time {
		dst = append(append(dst, "  "...), v.Format.Stamp(v.Time)...)
	}
	layout := v.Format.Layout
	if v.Parts.Has.Partition {
		dst = pad(append(dst, "  partition "...), v.Parts.Partition, layout.MaxPartition())
	}
	if v.Parts.Has.Node {
		dst = pad(append(dst, "  node "...), v.Parts.Node, layout.MaxNode())
	}
	dst = pad(append(dst, "  sequence "...), v.Parts.Sequence, layout.MaxSequence())
	return append(dst, '\n')
}

// pad appends n, as wide as the largest.
func pad(dst []byte, n, largest uint64) []byte {
	digits := strconv.FormatUint(n, 10)
	width := len(strconv.FormatUint(largest, 10))
	return append(append(dst, strings.Repeat(" ", width-len(digits))...), digits...)
}
