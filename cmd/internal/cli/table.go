package cli

import (
	"io"
	"strings"
	"unicode/utf8"
)

// Table is text in columns, the first and the last of them flush left and the
// others, which are numbers, flush right.
type Table struct{ rows [][]string }

// Add adds a row, of as many cells as the others.
func (t *Table) Add(cells ...string) {
	for i := range cells {
		cells[i] = Printable(cells[i])
	}
	t.rows = append(t.rows, cells)
}

// Write writes all rows, and lines without blanks at their ends.
func (t *Table) Write(w io.Writer) error {
	widths := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range t.rows {
		var line strings.Builder
		for i, cell := range row {
			gap := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i > 0 {
				line.WriteString("  ")
			}
			if left := i == 0 || i == len(row)-1; left {
				line.WriteString(cell + gap)
			} else {
				line.WriteString(gap + cell)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
