package main

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stampid/go-stamp/cmd/internal/cli"
)

// table is text in columns, the first and the last of them flush left and the
// others, which are numbers, flush right.
type table struct{ rows [][]string }

func (t *table) add(cells ...string) {
	for i := range cells {
		cells[i] = cli.Printable(cells[i])
	}
	t.rows = append(t.rows, cells)
}

// write writes all rows, and lines without blanks at their ends.
func (t *table) write(w io.Writer) error {
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

// none stands for a number that isn't there.
const none = "-"

func standingTable(found []standing, audited bool) *table {
	var t table
	head := []string{"counter", "stands at", ""}
	if audited {
		head = []string{"counter", "stands at", "audit mark", ""}
	}
	t.add(head...)
	for _, at := range found {
		cells := []string{at.Counter.String(), none}
		if !at.Missing {
			cells[1] = strconv.FormatInt(at.MaxID, 10)
		}
		if audited {
			mark := none
			if at.Mark > 0 {
				mark = strconv.FormatInt(at.Mark, 10)
			}
			cells = append(cells, mark)
		}
		t.add(append(cells, at.state())...)
	}
	return &t
}

// writeStandings writes a line of JSON for each.
func writeStandings(w io.Writer, found []standing) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, at := range found {
		if err := encoder.Encode(at); err != nil {
			return err
		}
	}
	return nil
}
