package main

import (
	"fmt"
	"slices"
)

// minOverlap is how much of a slice its goroutines must be at work together.
// Other slices are taken again, and after some tries the round goes without
// the pair.
const (
	minOverlap = 0.75
	tries      = 12
)

// pair is a subject and what it is measured against.
type pair struct {
	name           string
	goroutines     int
	subject, floor *subject
}

// label tells pairs apart, and is what -only looks at.
func (p pair) label() string { return fmt.Sprintf("%s/%d", p.name, p.goroutines) }

// result is what the rounds found about a pair.
type result struct {
	pair
	ns, floorNS Spread // per thing done, over all goroutines
	ratio       Spread // of subject to floor, in one round
	dropped     int    // rounds in which the goroutines didn't run at once
}

type series struct {
	pair
	subject, floor *cell
	ns, floorNS    []float64
	dropped        int
}

// measure takes rounds of all pairs. The error is about what is broken, not
// about what is slow.
func measure(pairs []pair, rounds int, done func(round int)) ([]result, error) {
	all := make([]*series, len(pairs))
	for i, p := range pairs {
		s := &series{pair: p, subject: newCell(p.subject, p.goroutines), floor: newCell(p.floor, p.goroutines)}
		for _, c := range []*cell{s.subject, s.floor} {
			if err := c.calibrate(); err != nil {
				return nil, err
			}
		}
		all[i] = s
	}
	for round := range rounds {
		for i := range all {
			if err := all[(i+round)%len(all)].round(round%2 == 1); err != nil {
				return nil, err
			}
		}
		done(round + 1)
	}
	results := make([]result, len(all))
	for i, s := range all {
		results[i] = result{
			pair: s.pair, ns: spread(s.ns), floorNS: spread(s.floorNS),
			ratio: spread(ratios(s.ns, s.floorNS)), dropped: s.dropped,
		}
	}
	return results, nil
}

// round measures both sides, directly after each other, in as many turns as
// the side that needs fewer has.
func (s *series) round(subjectFirst bool) error {
	sides := []*cell{s.floor, s.subject}
	if subjectFirst {
		slices.Reverse(sides)
	}
	var ns [2][]float64
	for range min(s.floor.turns(), s.subject.turns()) {
		first, ok1, err := sides[0].attempt()
		if err != nil {
			return err
		}
		second, ok2, err := sides[1].attempt()
		if err != nil {
			return err
		}
		if ok1 && ok2 {
			ns[0], ns[1] = append(ns[0], first.ns), append(ns[1], second.ns)
		}
	}
	if len(ns[0]) == 0 {
		s.dropped++
		return nil
	}
	if subjectFirst {
		ns[0], ns[1] = ns[1], ns[0]
	}
	s.floorNS = append(s.floorNS, spread(ns[0]).Median)
	s.ns = append(s.ns, spread(ns[1]).Median)
	return nil
}

// attempt runs a slice, and again if the goroutines weren't at work at once.
func (c *cell) attempt() (s slice, ok bool, err error) {
	for range tries {
		if s, err = c.run(); err != nil || c.atOnce(s) {
			return s, err == nil, err
		}
	}
	return s, false, nil
}
