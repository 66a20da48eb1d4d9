package main

import (
	"fmt"
	"math"
	"regexp"
)

// plan is what a run measures. All its pairs take part in every round.
type plan struct {
	floors  []pair
	targets []target
	peers   []peer
	levels  [][]pair // of each peer
	codecs  []pair

	tails, allocations, memory, growth bool
}

var levels = []int{1, 2, 16}

// newPlan takes the rows whose names match only; nil takes all.
func newPlan(only *regexp.Regexp) *plan {
	match := func(section, name string) bool {
		return only == nil || only.MatchString(section+"/"+name)
	}
	p := &plan{
		tails:       match("tails", ""),
		allocations: match("allocations", ""),
		memory:      match("memory", ""),
		growth:      match("growth", ""),
	}
	for _, f := range floorPairs() {
		if match("floors", f.label()) {
			p.floors = append(p.floors, f)
		}
	}
	for _, t := range targets() {
		if match("targets", t.label()) {
			p.targets = append(p.targets, t)
		}
	}
	for _, c := range codecPairs() {
		if match("codecs", c.label()) {
			p.codecs = append(p.codecs, c)
		}
	}
	for _, q := range peers() {
		var pairs []pair
		for _, goroutines := range levels {
			pr := pair{q.name(), goroutines, q.subject, q.stamp}
			if match(q.section(), pr.label()) {
				pairs = append(pairs, pr)
			}
		}
		if pairs != nil {
			p.peers = append(p.peers, q)
			p.levels = append(p.levels, pairs)
		}
	}
	return p
}

// pairs lists all of them, in the order in which take wants their results.
func (p *plan) pairs() []pair {
	all := append([]pair(nil), p.floors...)
	for _, t := range p.targets {
		all = append(all, t.pair)
	}
	all = append(all, p.codecs...)
	for _, l := range p.levels {
		all = append(all, l...)
	}
	return all
}

// verify tries each subject once.
func (p *plan) verify() error {
	tried := make(map[*subject]bool)
	for _, pr := range p.pairs() {
		for _, s := range []*subject{pr.floor, pr.subject} {
			if tried[s] {
				continue
			}
			tried[s] = true
			if err := s.verify(); err != nil {
				return err
			}
		}
	}
	return nil
}

// run measures everything.
func (p *plan) run(rounds int, done func(round int)) (*Report, error) {
	if err := p.verify(); err != nil {
		return nil, err
	}
	report := &Report{}
	if p.allocations {
		report.Allocations = allocations()
	}
	results, err := measure(p.pairs(), rounds, done)
	if err != nil {
		return nil, err
	}
	p.take(report, results)
	if p.tails {
		if report.Tails, err = measureTails(rounds); err != nil {
			return nil, fmt.Errorf("tails: %w", err)
		}
	}
	if p.growth {
		if report.Growth, err = measureGrowth(min(rounds, 7)); err != nil {
			return nil, fmt.Errorf("growth: %w", err)
		}
	}
	if p.memory {
		bytes, err := perSequence(memoryIDs, memoryPartitions)
		if err != nil {
			return nil, fmt.Errorf("memory: %w", err)
		}
		report.Memory = &Memory{
			Sequences: memoryIDs * memoryPartitions, Bytes: bytes,
			Limit: memoryLimit, Pass: bytes <= memoryLimit,
		}
	}
	return report, nil
}

// take sorts results, which are in the order of pairs, into the report.
func (p *plan) take(report *Report, results []result) {
	next := func() Row {
		r := results[0]
		results = results[1:]
		return Row{
			Name: r.name, Goroutines: r.goroutines, Subject: r.subject.name, Floor: r.floor.name,
			NS: r.ns, FloorNS: r.floorNS, Ratio: r.ratio, Dropped: r.dropped,
		}
	}
	for range p.floors {
		report.Floors = append(report.Floors, next())
	}
	for _, t := range p.targets {
		row := next()
		row.AtMost = t.limit
		row.Pass = row.measured() && row.Ratio.Median <= t.limit
		report.Targets = append(report.Targets, row)
	}
	faster := func(row Row, atLeast float64) Row {
		row.AtLeast = atLeast
		row.Pass = row.measured() && row.Ratio.Median >= atLeast
		return row
	}
	for range p.codecs {
		report.Codecs = append(report.Codecs, faster(next(), 1))
	}
	for i, q := range p.peers {
		out := Peer{
			Library: q.library, Version: version(q.module), Setting: q.setting, Gives: q.gives,
			Sorted: q.sorted, Node: q.node, StampSetting: q.stampSetting, Portable: q.portable,
		}
		for range p.levels[i] {
			out.Levels = append(out.Levels, faster(next(), q.atLeast))
		}
		report.Peers = append(report.Peers, out)
	}
}

// measureGrowth takes the best of some rounds for each step: what else the
// machine does can only add.
func measureGrowth(rounds int) (*Growth, error) {
	names := sequenceIDs(growthSteps[len(growthSteps)-1])
	g := &Growth{Sequences: growthSteps, Limit: growthLimit}
	for range growthSteps {
		g.NS = append(g.NS, math.Inf(1))
	}
	for range rounds {
		ns, err := growth(names)
		if err != nil {
			return nil, err
		}
		for i := range ns {
			g.NS[i] = min(g.NS[i], ns[i])
		}
	}
	g.Ratio = g.NS[len(g.NS)-1] / g.NS[0]
	g.Pass = g.Ratio <= growthLimit
	return g, nil
}
