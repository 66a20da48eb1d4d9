package view_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/cmd/internal/format"
	"github.com/stampid/go-stamp/cmd/stamp/internal/plan"
	"github.com/stampid/go-stamp/cmd/stamp/internal/view"
)

func plans(t *testing.T) (all []plan.Plan) {
	for _, layout := range layouts {
		for _, unit := range []time.Duration{1, time.Millisecond, 24 * time.Hour} {
			scale := bits.Timescale{Epoch: bits.Default().Timescale.Epoch, Unit: unit}
			p, err := plan.New(layout.String(), format.Format{Layout: layout, Timescale: scale}, now)
			require.NoError(t, err)
			all = append(all, p)
		}
	}
	return all
}

func TestPlansAreRectanglesWithAMarkPerBit(t *testing.T) {
	for _, p := range plans(t) {
		plain := view.PlanBox(p, false)
		requireRectangle(t, plain)
		require.Equal(t, plain, uncoloured(view.PlanBox(p, true)))
		marks := strings.Split(plain, "\n")[3]
		for mark, width := range map[string]int{
			"p": p.Format.Layout.Partition, "t": p.Format.Layout.Time,
			"n": p.Format.Layout.Node, "s": p.Format.Layout.Sequence,
		} {
			require.Equal(t, width, strings.Count(marks, mark), plain)
		}
	}
}

// In a comparison all rows of the right side begin in one column.
func TestComparisonsLineUp(t *testing.T) {
	all := plans(t)
	for i, right := range all {
		left := all[len(all)-1-i]
		left.Name, right.Name = "left", "right"
		plain := view.PlanComparison(left, right, false)
		require.Equal(t, plain, uncoloured(view.PlanComparison(left, right, true)))
		_, table, _ := strings.Cut(plain, "\n\n")
		rows := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
		column := strings.Index(rows[0], "right")
		for _, row := range rows {
			runes := []rune(row)
			require.Equal(t, "  ", string(runes[column-2:column]), plain)
			require.NotEqual(t, ' ', runes[column], plain)
			require.Greater(t, utf8.RuneCountInString(row), column)
		}
	}
}
