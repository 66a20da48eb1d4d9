package view

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Colours, as the parameters of a terminal's select graphic rendition.
const (
	bold    = "1"
	faint   = "2"
	green   = "32"
	yellow  = "33"
	magenta = "35"
	cyan    = "36"
)

const (
	nameColumn  = len("partition")
	widthColumn = len("63 bits")
)

// Box draws an id: its bits, and under each the mark of its field, then the
// fields with width and value, then its time in UTC, its age and, where that
// differs, its time in now's zone. All lines are equally wide. It ends in a line
// feed.
func (v View) Box(now time.Time, color bool) string {
	fields := v.fields()
	times := v.times(now)
	b := box{color: color, inner: v.Format.Layout.Width() + len(fields) - 1}
	for _, line := range append(times, v.Text, v.Form) {
		b.inner = max(b.inner, utf8.RuneCountInString(line))
	}

	b.rule("┌", "┐", "─")
	number := strconv.FormatInt(v.ID, 10)
	b.line(cell{v.Text, bold})
	if v.Text != number {
		b.line(cell{number, ""})
	}
	if v.Form != "" {
		b.line(cell{v.Form, faint})
	}
	b.rule("├", "┤", "─")
	b.line(apart(fields, func(f field) cell { return cell{fmt.Sprintf("%0*b", f.width, f.value), f.paint} })...)
	b.line(apart(fields, func(f field) cell { return cell{f.marks(), faint} })...)
	b.rule("├", "┤", "┬")
	for _, f := range fields {
		b.field(f, strconv.FormatUint(f.value, 10))
	}
	if len(times) == 0 {
		b.rule("└", "┘", "┴")
		return b.text.String()
	}
	b.rule("├", "┤", "┴")
	for _, line := range times {
		b.line(cell{line, ""})
	}
	b.rule("└", "┘", "─")
	return b.text.String()
}

// times are the lines about time, none without time bits.
func (v View) times(now time.Time) []string {
	if !v.Parts.Has.Time {
		return nil
	}
	utc, local := v.Format.Stamp(v.Time), v.Format.Local(v.Time.In(now.Location()))
	if local == utc {
		return []string{utc + "  " + Age(v.Time, now)}
	}
	return []string{
		fmt.Sprintf("%-*s  %s", len(local), utc, Age(v.Time, now)),
		local + "  local time",
	}
}

func bitCount(width int) string {
	if width == 1 {
		return "1 bit "
	}
	return strconv.Itoa(width) + " bits"
}

// marks are the field's mark for each of its bits.
func (f field) marks() string { return strings.Repeat(string(f.mark), f.width) }

// apart makes a cell of each field, with a blank between two.
func apart(fields []field, of func(field) cell) (cells []cell) {
	for i, f := range fields {
		if i > 0 {
			cells = append(cells, cell{" ", ""})
		}
		cells = append(cells, of(f))
	}
	return cells
}

// cell is text in one colour.
type cell struct{ text, paint string }

// box draws lines of equal width in a frame.
type box struct {
	text  strings.Builder
	inner int // columns between the blanks beside the frame
	color bool
}

// line writes cells beside each other.
func (b *box) line(cells ...cell) {
	b.paint(cell{"│ ", faint})
	rest := b.inner
	for _, c := range cells {
		b.paint(c)
		rest -= utf8.RuneCountInString(c.text)
	}
	b.text.WriteString(strings.Repeat(" ", rest))
	b.paint(cell{" │", faint})
	b.text.WriteByte('\n')
}

// field writes a line of the table: a field, its width, and a text.
func (b *box) field(f field, text string) {
	b.line(
		cell{fmt.Sprintf("%-*s", nameColumn, f.name), f.paint},
		cell{" │ ", faint},
		cell{fmt.Sprintf("%*s", widthColumn, bitCount(f.width)), ""},
		cell{" │ ", faint},
		cell{text, ""},
	)
}

// rule draws a horizontal line, with a joint where the columns of the table
// meet it.
func (b *box) rule(left, right, joint string) {
	line := left
	for _, column := range []int{nameColumn, widthColumn} {
		line += strings.Repeat("─", column+2) + joint
	}
	line += strings.Repeat("─", b.inner-nameColumn-widthColumn-4) + right
	b.paint(cell{line, faint})
	b.text.WriteByte('\n')
}

func (b *box) paint(c cell) {
	if !b.color || c.paint == "" {
		b.text.WriteString(c.text)
		return
	}
	b.text.WriteString("\x1b[" + c.paint + "m" + c.text + "\x1b[0m")
}
