package watching

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/stampid/go-stamp/cmd/internal/cli"
)

// column is one of the table.
type column struct {
	head string
	left bool // flush left, as texts are
	// keep is how long the column stays when there is little room: the one with
	// the least goes first.
	keep int
	cell func(*Row) string
}

const (
	keepAlways = 100
	// widest is how wide a name may be while there are columns to drop.
	widest = 32
	gap    = "  "
)

func columns() []column {
	ofGenerator := func(cell func(*Row) string) func(*Row) string {
		return ofCounter(func(r *Row) string {
			if !r.Generator {
				return none
			}
			return cell(r)
		})
	}
	return []column{
		{"counter", true, keepAlways, func(r *Row) string {
			if r.Counter == "" {
				return r.Source
			}
			return r.Counter
		}},
		{"left", false, keepAlways, ofCounter(func(r *Row) string { return shortDuration(r.Left) })},
		{"rate/s", false, 9, ofCounter(func(r *Row) string { return shortNumber(r.Rate) })},
		{"peak/s", false, 5, ofCounter(func(r *Row) string { return shortNumber(r.Peak) })},
		{"remaining", false, 8, ofCounter(func(r *Row) string { return shortNumber(float64(r.Remaining)) })},
		{"reserve", false, 4, ofGenerator(func(r *Row) string { return shortNumber(float64(r.Reserve)) })},
		{"distance", false, 1, ofGenerator(func(r *Row) string { return shortNumber(float64(r.Distance)) })},
		{"waits", false, 3, ofGenerator(func(r *Row) string { return shortNumber(float64(r.Waits)) })},
		{"P99", false, 6, ofGenerator(func(r *Row) string { return shortDuration(r.WaitP99) })},
		{"failures", false, 2, ofCounter(func(r *Row) string { return shortNumber(float64(r.Failures)) })},
		{"source", true, 7, func(r *Row) string { return r.Source }},
		{"", true, keepAlways, func(r *Row) string { return r.State }},
	}
}

// ofCounter is a cell that sources which failed and counters that aren't there don't
// have.
func ofCounter(cell func(*Row) string) func(*Row) string {
	return func(r *Row) string {
		if !r.hasFigures() {
			return none
		}
		return cell(r)
	}
}

// Screen is what a table has to fit in.
type Screen struct {
	Width, Height int
	Color         bool
}

// Table draws rows as lines of at most the screen's width, one below the other,
// with a title above. Rows that there is no room for are counted.
func Table(rows []Row, sources int, every time.Duration, now time.Time, s Screen) []string {
	title := strings.Join([]string{
		"stampd watch", plural(len(rows), "row"), plural(sources, "source"), fmt.Sprintf("every %v", every),
		now.Format(time.TimeOnly), "q quits",
	}, gap)
	lines := []string{s.paint(fit(title, s.Width), bold)}
	if s.Height < 3 {
		return lines[:min(max(s.Height, 0), 1)]
	}
	room := s.Height - 2
	hidden := 0
	if len(rows) > room {
		hidden = len(rows) - (room - 1)
		rows = rows[:room-1]
	}
	lines = append(lines, s.grid(rows)...)
	if hidden > 0 {
		lines = append(lines, fit(fmt.Sprintf("… and %d more", hidden), s.Width))
	}
	return lines
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// grid is the head and the rows.
func (s Screen) grid(rows []Row) []string {
	all := columns()
	cells := make([][]string, len(rows)+1) // by line and column
	widths := make([]int, len(all))
	for i := range cells {
		for c, column := range all {
			text := column.head
			if i > 0 {
				text = cli.Printable(column.cell(&rows[i-1]))
			}
			if c < len(all)-1 {
				text = fit(text, widest)
			}
			cells[i] = append(cells[i], text)
			widths[c] = max(widths[c], utf8.RuneCountInString(text))
		}
	}
	shown := s.choose(all, widths)
	lines := make([]string, len(cells))
	for i, row := range cells {
		var b strings.Builder
		for n, c := range shown {
			if n > 0 {
				b.WriteString(gap)
			}
			blanks := strings.Repeat(" ", widths[c]-utf8.RuneCountInString(row[c]))
			if all[c].left {
				b.WriteString(row[c] + blanks)
			} else {
				b.WriteString(blanks + row[c])
			}
		}
		line := fit(strings.TrimRight(b.String(), " "), s.Width)
		if i == 0 {
			lines[i] = s.paint(line, faint)
		} else {
			lines[i] = s.paint(line, colors[rows[i-1].Level])
		}
	}
	return lines
}

// choose drops columns until the others fit, with room for a few words of state.
func (s Screen) choose(all []column, widths []int) []int {
	const words = 14
	shown := make([]int, len(all))
	for i := range shown {
		shown[i] = i
	}
	for {
		width := 0
		least := -1
		for n, c := range shown {
			w := widths[c]
			if c == len(all)-1 {
				w = min(w, words)
			}
			width += w + len(gap)
			if all[c].keep < keepAlways && (least < 0 || all[c].keep < all[shown[least]].keep) {
				least = n
			}
		}
		if width-len(gap) <= s.Width || least < 0 {
			return shown
		}
		shown = slices.Delete(shown, least, least+1)
	}
}

// fit cuts a text off at a width.
func fit(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	if width <= 0 {
		return ""
	}
	return string([]rune(text)[:width-1]) + "…"
}

const (
	bold  = "1"
	faint = "2"
)

// colors are those of the levels.
var colors = [...]string{Fine: "", Warning: "33", Critical: "31;1"}

// paint gives a line a colour of a terminal, if it has any.
func (s Screen) paint(line, color string) string {
	if !s.Color || color == "" {
		return line
	}
	return "\x1b[" + color + "m" + line + "\x1b[0m"
}
