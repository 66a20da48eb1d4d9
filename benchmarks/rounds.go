package main

import (
	"fmt"
	"runtime"
)

// minOverlap is how much of a slice its goroutines must be at work together,
// when there are processors for all of them. Other slices are taken again, and
// after a few tries the round goes without the pair.
const (
	minOverlap = 0.75
	tries      = 3
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

// round measures both sides once, directly after each other.
func (s *series) round(subjectFirst bool) error {
	for range tries {
		sides := []*cell{s.floor, s.subject}
		if subjectFirst {
			sides = []*cell{s.subject, s.floor}
		}
		atOnce := true
		ns := make(map[*cell]float64, len(sides))
		for _, c := range sides {
			slice, err := c.run()
			if err != nil {
				return err
			}
			ns[c] = slice.ns
			atOnce = atOnce && (slice.overlap >= minOverlap || s.goroutines > runtime.GOMAXPROCS(0))
		}
		if atOnce {
			s.ns = append(s.ns, ns[s.subject])
			s.floorNS = append(s.floorNS, ns[s.floor])
			return nil
		}
	}
	s.dropped++
	return nil
}
