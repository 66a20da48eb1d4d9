package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// A slice of one goroutine is shorter than what the system's scheduler
	// gives a process at a time. Of several slices in a round the median
	// counts, so that one that was interrupted doesn't.
	singleSlice = 200 * time.Microsecond
	singleTurns = 5
	// Slices of two goroutines are long against the time that they take to
	// leave the barrier. With more, each must get its turn on a processor.
	pairSlice = time.Millisecond
	manySlice = 12 * time.Millisecond
	// Where the work leaves garbage, a slice is long enough to have a part in
	// collecting it.
	garbageSlice = 2 * time.Millisecond
	// A generator that waits for its clock is measured over this many units,
	// less a quarter of one: a generator that gives out a few ids less per
	// unit must not pay a whole unit for them.
	waitUnits = 8
)

// cell is a subject at a number of goroutines.
type cell struct {
	*subject
	workers []work
	n       int // per goroutine and slice
	warm    int // before a slice, per goroutine

	mu   sync.Mutex
	seen map[uint64]struct{} // digests
}

func newCell(s *subject, goroutines int) *cell {
	c := &cell{subject: s, n: 64, warm: 16, seen: make(map[uint64]struct{})}
	for i := range goroutines {
		c.workers = append(c.workers, s.worker(i))
	}
	return c
}

// slice is one measurement.
type slice struct {
	ns      float64 // wall time per thing done, over all goroutines
	took    time.Duration
	overlap float64 // part of the time in which all goroutines were at work
}

// run measures one slice. Untimed work goes before it: it fills the caches,
// and where a generator waits for its clock it uses up the unit.
func (c *cell) run() (slice, error) {
	if c.prepare != nil {
		c.prepare()
	}
	var before uint64
	if c.count != nil {
		before = c.count()
	}
	var arrived atomic.Int32
	spans := make([]span, len(c.workers))
	err := c.each(func(i int, w work) error {
		_, err := try(w, c.warm)
		// The start is a barrier. Who has arrived stays on its processor, and
		// who failed must not keep the others waiting.
		arrived.Add(1)
		for int(arrived.Load()) < len(c.workers) {
			runtime.Gosched()
		}
		if err != nil {
			return err
		}
		begin := time.Now()
		last, err := try(w, c.n)
		spans[i] = span{begin, time.Now()}
		if err != nil {
			return err
		}
		return c.note(last)
	})
	if err != nil {
		return slice{}, fmt.Errorf("%s, goroutines %d: %w", c.name, len(c.workers), err)
	}
	things := len(c.workers) * (c.warm + c.n)
	if c.count != nil && c.count() != before+uint64(things) {
		return slice{}, fmt.Errorf("%s: counted %d, did %d", c.name, c.count()-before, things)
	}
	took, overlap := cover(spans)
	return slice{float64(took) / float64(len(c.workers)*c.n), took, overlap}, nil
}

// calibrate chooses how much a slice does. The fastest of a few tries counts:
// load makes a try longer, never shorter.
func (c *cell) calibrate() error {
	if c.quota > 0 {
		c.warm = max(1, c.quota/len(c.workers))
		c.n = max(1, (waitUnits*c.quota-c.quota/4)/len(c.workers))
		return nil
	}
	want := c.want()
	for {
		best := time.Duration(1<<63 - 1)
		for range 3 {
			s, err := c.run()
			if err != nil {
				return err
			}
			best = min(best, max(s.took, 1))
		}
		if best >= want/8 {
			c.n = max(1, int(float64(c.n)*float64(want)/float64(best)))
			c.warm = max(1, c.n/16)
			return nil
		}
		c.n *= 4
	}
}

func (c *cell) want() time.Duration {
	switch {
	case len(c.workers) > 2:
		return manySlice
	case len(c.workers) == 2:
		return pairSlice
	case c.garbage:
		return garbageSlice
	default:
		return singleSlice
	}
}

// turns is how many slices a round has.
func (c *cell) turns() int {
	if len(c.workers) > 1 || c.quota > 0 {
		return 1
	}
	return singleTurns
}

// atOnce tells whether a slice was one of all goroutines together. Where there
// aren't processors for all, or the clock bounds the rate, they needn't be.
func (c *cell) atOnce(s slice) bool {
	return s.overlap >= minOverlap || len(c.workers) > runtime.GOMAXPROCS(0) || c.quota > 0
}

// note refuses digests of what isn't there or was there before.
func (c *cell) note(digest uint64) error {
	if digest == 0 {
		return errZero
	}
	if c.repeats {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.seen[digest]; ok {
		return errRepeat
	}
	c.seen[digest] = struct{}{}
	return nil
}
