package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// table is rows of cells under a heading.
type table struct {
	title, note string
	header      []string
	rows        [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// text writes the table for a terminal.
func (t *table) text(w io.Writer) error {
	widths := t.widths()
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\n", strings.ToUpper(t.title), t.note)
	for i, row := range append([][]string{t.header}, t.rows...) {
		var line strings.Builder
		for c, cell := range row {
			line.WriteString(pad(cell, widths[c]) + "  ")
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
		if i == 0 {
			b.WriteString(strings.Repeat("-", max(0, sum(widths)+2*len(widths)-2)) + "\n")
		}
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// markdown writes it as a table of GitHub's dialect.
func (t *table) markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n%s\n\n", t.title, t.note)
	line := func(cells []string) {
		for _, cell := range cells {
			b.WriteString("| " + strings.ReplaceAll(cell, "|", `\|`) + " ")
		}
		b.WriteString("|\n")
	}
	line(t.header)
	b.WriteString(strings.Repeat("| --- ", len(t.header)) + "|\n")
	for _, row := range t.rows {
		line(row)
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *table) widths() []int {
	widths := make([]int, len(t.header))
	for _, row := range append([][]string{t.header}, t.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	return widths
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

func sum(v []int) (s int) {
	for _, n := range v {
		s += n
	}
	return s
}
