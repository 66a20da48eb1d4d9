package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTableText(t *testing.T) {
	tbl := table{title: "Two", note: "A note.", header: []string{"row", "≤", ""}}
	tbl.add("first", "1", "pass")
	tbl.add("a longer one", "22", "")
	var b strings.Builder
	require.NoError(t, tbl.text(&b))
	require.Equal(t, strings.Join([]string{
		"TWO",
		"A note.",
		"",
		"row           ≤",
		"----------------------",
		"first         1   pass",
		"a longer one  22",
		"",
		"",
	}, "\n"), b.String())
}

func TestTableMarkdown(t *testing.T) {
	tbl := table{title: "Two", note: "A note.", header: []string{"row", ""}}
	tbl.add("a|b", "pass")
	var b strings.Builder
	require.NoError(t, tbl.markdown(&b))
	require.Equal(t, "### Two\n\nA note.\n\n| row |  |\n| --- | --- |\n| a\\|b | pass |\n\n", b.String())
}

func spreadOf(median float64) Spread { return Spread{median, median, median, 5} }

func TestVerdicts(t *testing.T) {
	p := &plan{
		targets: []target{{pair{name: "below", goroutines: 1}, 1.2}, {pair{name: "above", goroutines: 1}, 1.2}, {pair{name: "never", goroutines: 2}, 1.2}},
		peers: []peer{
			{library: "slower", goal: goal{atLeast: 1}},
			{library: "in part faster", goal: goal{atLeast: 1}},
			{library: "in part measured", goal: goal{atLeast: 1}},
			{library: "waits"},
			{library: "not twice as fast", goal: goal{atLeast: 2, portable: true}},
		},
		levels: [][]pair{{{}, {}}, {{}, {}}, {{}, {}}, {{}}, {{}}},
	}
	subject, floor := &subject{name: "s"}, &subject{name: "f"}
	of := func(goroutines int, s Spread) result {
		return result{pair: pair{"", goroutines, subject, floor}, ratio: s}
	}
	var report Report
	p.take(&report, []result{
		of(1, spreadOf(1.2)), of(1, spreadOf(1.21)), of(2, Spread{}),
		of(1, spreadOf(1)), of(2, spreadOf(3)),
		of(1, spreadOf(0.99)), of(2, spreadOf(2)),
		of(1, spreadOf(2)), of(2, Spread{}),
		of(1, spreadOf(0.5)),
		of(1, spreadOf(1.9)),
	})
	verdicts := func(rows [][]string) (v []string) {
		for _, row := range rows {
			v = append(v, row[len(row)-1])
		}
		return v
	}
	tables := report.tables()
	require.Len(t, tables, 3, "only what was measured")
	require.Equal(t, []string{"pass", "MISS", "no verdict: its goroutines ran at once in 0 of 0 rounds"}, verdicts(tables[0].rows))
	require.Equal(t, []string{"pass", "MISS", "pass (no verdict at 2 goroutines)", "both wait for the clock"}, verdicts(tables[1].rows))
	require.Equal(t, []string{"MISS"}, verdicts(tables[2].rows))
	require.Contains(t, tables[1].rows[2], "2.00 / -")
}

func TestVerdictNeedsRounds(t *testing.T) {
	row := Row{Ratio: spreadOf(1), Pass: true, Dropped: 5}
	require.Equal(t, "pass (5 rounds dropped)", row.verdict())
	row.Dropped = 6
	require.Equal(t, "no verdict: its goroutines ran at once in 5 of 11 rounds", row.verdict())
}

func TestFigures(t *testing.T) {
	for median, want := range map[float64][2]string{
		0.0531: {"0.05", "0.053"}, 1.234: {"1.23", "1.23"}, 45.67: {"45.7", "45.67"}, 1234.5: {"1234", "1234.50"},
	} {
		require.Equal(t, want, [2]string{ns(spreadOf(median)), times(spreadOf(median))})
	}
	require.Equal(t, none, ns(Spread{}))
	require.Equal(t, none, times(Spread{}))
	require.Equal(t, "0.25 to 2.00", quartiles(Spread{Q1: 0.25, Q3: 2, Count: 3}))
}
