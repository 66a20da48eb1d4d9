package view

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/cmd/stamp/internal/plan"
)

// tableColumns are the columns of a line in a box's table before its text.
const tableColumns = nameColumn + widthColumn + 2*len(" | ")

// labelColumn is as wide as the longest label of a row.
const labelColumn = len("ids per second")

// row is a figure of a plan, under a label. The label is empty below one of the
// same.
type row struct{ label, text string }

// PlanBox draws a plan: a mark for each bit, then the fields with width and
// what they give, then the figures. All lines are equally wide. It ends in a
// line feed.
func PlanBox(p plan.Plan, color bool) string {
	fields := fieldsOf(p.Format.Layout, bits.Parts{})
	figures := rows(p)
	if p.Fields().Time {
		figures = append(timeRows(p), figures...)
	}
	b := box{color: color, inner: max(p.Format.Layout.Width()+len(fields)-1, utf8.RuneCountInString(p.Name))}
	for _, f := range fields {
		b.inner = max(b.inner, tableColumns+utf8.RuneCountInString(gives(p, f)))
	}
	for _, r := range figures {
		b.inner = max(b.inner, labelColumn+2+utf8.RuneCountInString(r.text))
	}

	b.rule("┌", "┐", "─")
	b.line(cell{p.Name, bold})
	b.rule("├", "┤", "─")
	b.line(apart(fields, func(f field) cell { return cell{f.marks(), f.paint} })...)
	b.rule("├", "┤", "┬")
	for _, f := range fields {
		b.field(f, gives(p, f))
	}
	b.rule("├", "┤", "┴")
	for _, r := range figures {
		b.line(cell{fmt.Sprintf("%-*s  ", labelColumn, r.label), faint}, cell{r.text, ""})
	}
	b.rule("└", "┘", "─")
	return b.text.String()
}

// gives says what a field of a plan is good for.
func gives(p plan.Plan, f field) string {
	switch f.name {
	case "partition":
		return plan.Count(p.Partitions) + " partitions"
	case "time":
		scale := p.Format.Timescale
		return fmt.Sprintf("units of %v from %s", scale.Unit, p.Format.Stamp(scale.Epoch))
	case "node":
		return plan.Count(p.Nodes) + " nodes"
	default:
		if !p.Fields().Time {
			return plan.Count(p.IDsPerUnit) + " ids per partition"
		}
		return plan.Count(p.IDsPerUnit) + " ids per unit"
	}
}

// rows are the figures of any plan.
func rows(p plan.Plan) []row {
	javaScript := "holds such ids exactly"
	if !p.JavaScript {
		javaScript = fmt.Sprintf("rounds ids of %d bits: its numbers have 53", p.Format.Layout.Width())
	}
	texts := make([]string, len(p.Texts))
	for i, t := range p.Texts {
		texts[i] = t.Codec + " " + strconv.Itoa(t.Width)
		if !t.Fixed {
			texts[i] = t.Codec + " up to " + strconv.Itoa(t.Width)
		}
	}
	half := len(texts) / 2
	return []row{
		{"largest id", strconv.FormatInt(p.MaxID, 10)},
		{"JavaScript", javaScript},
		{"text width", strings.Join(texts[:half], ", ")},
		{"", strings.Join(texts[half:], ", ")},
	}
}

// timeRows are the figures of a plan that depend on time.
func timeRows(p plan.Plan) []row {
	left := "in " + plan.Span(p.YearsLeft)
	if p.YearsLeft < 0 {
		left = plan.Span(plan.Years(p.End, p.Now)) + " ago"
	}
	return []row{
		{"ends", p.Format.Stamp(p.End)},
		{"", left},
		{"ids per second", plan.Rate(p.PerSecond.Node) + " of a node in a partition"},
		{"", plan.Rate(p.PerSecond.Partition) + " of all nodes in a partition"},
		{"", plan.Rate(p.PerSecond.All) + " in all"},
	}
}
