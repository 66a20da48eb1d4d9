package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const none = "-"

// tables shows a report. Sections that weren't measured are left out.
func (r *Report) tables() []table {
	all := []table{
		r.targetTable(), r.peerTable("Peers", false, 2), r.peerTable("Peers, portable clock", true, 1), r.codecTable(), r.floorTable(), r.tailTable(), r.allocationTable(), r.memoryTable(),
	}
	return slices.DeleteFunc(all, func(t table) bool { return len(t.rows) == 0 })
}

func (r *Report) targetTable() table {
	t := table{
		title:  "Targets",
		note:   "ratio: go-stamp's time in multiples of the floor's, median over rounds; lower is better.",
		header: []string{"row", "goroutines", "ns", "floor", "floor ns", "ratio", "quartiles", "target", ""},
	}
	for _, row := range r.Targets {
		t.add(row.Name, strconv.Itoa(row.Goroutines), ns(row.NS), row.Floor, ns(row.FloorNS),
			times(row.Ratio), quartiles(row.Ratio), fmt.Sprintf("≤ %.2f", row.AtMost), row.verdict())
	}
	return t
}

func (r *Report) peerTable(title string, portable bool, atLeast int) table {
	t := table{
		title: title,
		note: "ns and ratio at " + strings.Join(perLevel(levels, strconv.Itoa), " / ") + " goroutines. " +
			fmt.Sprintf("ratio: the library's time in multiples of go-stamp's; above 1, go-stamp is faster. target: ≥ %d.", atLeast),
		header: []string{"library", "setting", "an id", "order", "node", "ns", "go-stamp", "go-stamp ns", "ratio", ""},
	}
	for _, p := range r.Peers {
		if p.Portable != portable {
			continue
		}
		each := func(cell func(Row) string) string {
			return strings.Join(perLevel(p.Levels, func(row Row) string {
				if !row.measured() {
					return none
				}
				return cell(row)
			}), " / ")
		}
		t.add(p.Library+" "+p.Version, p.Setting, p.Gives, p.Sorted, p.Node,
			each(func(row Row) string { return ns(row.NS) }), p.StampSetting,
			each(func(row Row) string { return ns(row.FloorNS) }),
			each(func(row Row) string { return times(row.Ratio) }), worst(p.Levels))
	}
	return t
}

func (r *Report) codecTable() table {
	t := table{
		title:  "Codecs",
		note:   "ratio: the library's time in multiples of go-stamp's; above 1, go-stamp is faster. target: ≥ 1.",
		header: []string{"text form", "library", "ns", "go-stamp ns", "ratio", "quartiles", ""},
	}
	for _, row := range r.Codecs {
		t.add(row.Name, row.Subject, ns(row.NS), ns(row.FloorNS), times(row.Ratio), quartiles(row.Ratio), row.verdict())
	}
	return t
}

func (r *Report) floorTable() table {
	t := table{
		title:  "Floors",
		note:   "ratio: in multiples of an atomic add by as many goroutines on one word.",
		header: []string{"floor", "goroutines", "ns", "add ns", "ratio", "quartiles"},
	}
	for _, row := range r.Floors {
		t.add(row.Name, strconv.Itoa(row.Goroutines), ns(row.NS), ns(row.FloorNS), times(row.Ratio), quartiles(row.Ratio))
	}
	return t
}

func (r *Report) tailTable() table {
	t := table{
		title: "Tails",
		note: fmt.Sprintf("The slowest thousandth of calls: %d goroutines at full speed, step %d, a store that takes %v. ratio: lower is better.",
			tailGoroutines, segmentStep, tailDelay),
		header: []string{"row", "ns", "floor", "floor ns", "ratio", "quartiles", "target", ""},
	}
	for _, row := range r.Tails {
		t.add(row.Name, ns(row.NS), row.Floor, ns(row.FloorNS), times(row.Ratio), quartiles(row.Ratio),
			fmt.Sprintf("≤ %.2f", row.Limit), verdict(row.Pass))
	}
	return t
}

func (r *Report) allocationTable() table {
	t := table{title: "Allocations", note: "Per call.", header: []string{"call", "allocations", "target", ""}}
	for _, a := range r.Allocations {
		t.add(a.Name, fmt.Sprintf("%.0f", a.Count), fmt.Sprintf("≤ %.0f", a.Limit), verdict(a.Pass))
	}
	return t
}

func (r *Report) memoryTable() table {
	t := table{title: "Memory", note: "Of sequences, with their entries in the registry.", header: []string{"row", "found", "target", ""}}
	if m := r.Memory; m != nil {
		t.add(fmt.Sprintf("bytes each, %d live sequences", m.Sequences),
			fmt.Sprintf("%.0f", m.Bytes), fmt.Sprintf("≤ %.0f", m.Limit), verdict(m.Pass))
	}
	if g := r.Growth; g != nil {
		for i, n := range g.Sequences {
			t.add(fmt.Sprintf("ns per new sequence id, up to %d", n), fmt.Sprintf("%.0f", g.NS[i]), none, none)
		}
		t.add("the last of these in multiples of the first", fmt.Sprintf("%.2f", g.Ratio), fmt.Sprintf("≤ %.0f", g.Limit), verdict(g.Pass))
	}
	return t
}

func ns(s Spread) string {
	switch {
	case s.Count == 0:
		return none
	case s.Median < 10:
		return fmt.Sprintf("%.2f", s.Median)
	case s.Median < 100:
		return fmt.Sprintf("%.1f", s.Median)
	default:
		return fmt.Sprintf("%.0f", s.Median)
	}
}

// times is a ratio, a small one with more digits.
func times(s Spread) string {
	switch {
	case s.Count == 0:
		return none
	case s.Median < 0.01:
		return fmt.Sprintf("%.5f", s.Median)
	case s.Median < 0.1:
		return fmt.Sprintf("%.3f", s.Median)
	default:
		return fmt.Sprintf("%.2f", s.Median)
	}
}

func quartiles(s Spread) string {
	if s.Count == 0 {
		return none
	}
	return times(Spread{Median: s.Q1, Count: 1}) + " to " + times(Spread{Median: s.Q3, Count: 1})
}

func (r Row) verdict() string {
	switch {
	case !r.measured():
		return fmt.Sprintf("no verdict: its goroutines ran at once in %d of %d rounds", r.Ratio.Count, r.Ratio.Count+r.Dropped)
	case r.Dropped > 0:
		return fmt.Sprintf("%s (%d rounds dropped)", verdict(r.Pass), r.Dropped)
	default:
		return verdict(r.Pass)
	}
}

// worst is the verdict over all levels.
func worst(rows []Row) string {
	if rows[0].AtLeast == 0 {
		return "both wait for the clock"
	}
	pass := true
	var missing []string
	for _, row := range rows {
		if row.measured() {
			pass = pass && row.Pass
		} else {
			missing = append(missing, strconv.Itoa(row.Goroutines))
		}
	}
	switch {
	case len(missing) == len(rows):
		return rows[0].verdict()
	case len(missing) > 0:
		return fmt.Sprintf("%s (no verdict at %s goroutines)", verdict(pass), strings.Join(missing, ", "))
	default:
		return verdict(pass)
	}
}

func verdict(pass bool) string {
	if pass {
		return "pass"
	}
	return "MISS"
}

func perLevel[T any](values []T, cell func(T) string) []string {
	cells := make([]string, len(values))
	for i, v := range values {
		cells[i] = cell(v)
	}
	return cells
}
