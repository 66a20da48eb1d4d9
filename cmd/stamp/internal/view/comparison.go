package view

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/cmd/stamp/internal/plan"
)

// PlanComparison shows two plans: the bits of each below the other's, then the
// fields and the figures in two columns. It ends in a line feed.
func PlanComparison(left, right plan.Plan, color bool) string {
	plans := [2]plan.Plan{left, right}
	b := box{color: color}
	names := max(utf8.RuneCountInString(left.Name), utf8.RuneCountInString(right.Name))
	for _, p := range plans {
		b.paint(cell{fmt.Sprintf("%-*s  ", names, p.Name), bold})
		for _, c := range apart(fieldsOf(p.Format.Layout, bits.Parts{}), func(f field) cell { return cell{f.marks(), f.paint} }) {
			b.paint(c)
		}
		b.text.WriteByte('\n')
	}
	b.text.WriteByte('\n')

	columns := [2][]row{column(left), column(right)}
	width := 0
	for _, r := range columns[0] {
		width = max(width, utf8.RuneCountInString(r.text))
	}
	for i, r := range columns[0] {
		paint := ""
		if i == 0 {
			paint = bold
		}
		b.paint(cell{fmt.Sprintf("%-*s  ", labelColumn, r.label), faint})
		b.paint(cell{fmt.Sprintf("%-*s  ", width, r.text), paint})
		b.paint(cell{columns[1][i].text, paint})
		b.text.WriteByte('\n')
	}
	return b.text.String()
}

// column is a plan's side of the table: its name, all four fields, whether they
// exist or not, and its figures.
func column(p plan.Plan) []row {
	result := []row{{"", p.Name}, {"partition", "-"}, {"time", "-"}, {"node", "-"}, {"sequence", "-"}}
	for _, f := range fieldsOf(p.Format.Layout, bits.Parts{}) {
		for i := range result {
			if result[i].label == f.name {
				result[i].text = strings.TrimSpace(bitCount(f.width)) + ": " + gives(p, f)
			}
		}
	}
	times := timeRows(p)
	if !p.Fields().Time {
		for i := range times {
			times[i].text = "-"
		}
	}
	return append(append(result, times...), rows(p)...)
}
