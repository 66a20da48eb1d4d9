package main

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// each calls do for all workers at once: on this goroutine if there is one
// worker, else on a goroutine for each.
func (c *cell) each(do func(i int, w work) error) error {
	if len(c.workers) == 1 {
		return do(0, c.workers[0])
	}
	errs := make([]error, len(c.workers))
	var wg sync.WaitGroup
	for i, w := range c.workers {
		wg.Go(func() { errs[i] = do(i, w) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// try does work and turns a panic into an error.
func try(w work, n int) (digest uint64, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return w(n)
}

// span is when a goroutine was at work.
type span struct{ begin, end time.Time }

// cover is the time from the first begin to the last end, and which part of it
// lies inside all spans.
func cover(spans []span) (took time.Duration, overlap float64) {
	first, last := spans[0].begin, spans[0].begin
	end, firstEnd := spans[0].end, spans[0].end
	for _, s := range spans[1:] {
		if s.begin.Before(first) {
			first = s.begin
		}
		if s.begin.After(last) {
			last = s.begin
		}
		if s.end.After(end) {
			end = s.end
		}
		if s.end.Before(firstEnd) {
			firstEnd = s.end
		}
	}
	took = end.Sub(first)
	return took, max(0, float64(firstEnd.Sub(last))/float64(max(took, 1)))
}
