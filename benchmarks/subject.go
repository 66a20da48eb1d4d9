package main

import (
	"errors"
	"fmt"
	"hash/maphash"
)

// work does something n times, n at least 1, and returns a digest of the last
// result, which is never 0. The loop lies inside, so that no call through a
// function value is part of what is measured.
type work func(n int) (digest uint64, err error)

// subject is something to measure.
type subject struct {
	name string
	// worker is the work of the goroutine i. What the goroutines share, they
	// share through the subject.
	worker func(i int) work
	// prepare brings package-level settings of a library into force. It is
	// called before each slice and may be nil.
	prepare func()
	// quota is how many ids a generator gives out per unit of its clock before
	// it waits for the next one. 0: it doesn't wait.
	quota int
	// garbage says that the work leaves some.
	garbage bool
	// repeats says that digests may repeat, as those of texts do.
	repeats bool
	// count tells how often the work was done, for a floor that counts. It
	// may be nil.
	count func() uint64
	// check is one more test of the results. It may be nil.
	check func() error
}

// shared is a subject whose goroutines all do the same work.
func shared(name string, w work) *subject {
	return &subject{name: name, worker: func(int) work { return w }}
}

var (
	errZero      = errors.New("the zero id")
	errRepeat    = errors.New("an id twice")
	errBackwards = errors.New("the monotonic clock went back")
)

// verify tries a subject outside of any measurement: each of its results is
// there, and no two are equal.
func (s *subject) verify() error {
	if s.prepare != nil {
		s.prepare()
	}
	if s.check != nil {
		if err := s.check(); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	c := newCell(s, 2)
	perWorker := 2000
	if s.quota > 0 {
		perWorker = s.quota * 3 / 4 // into the second unit, together
	}
	err := c.each(func(_ int, w work) error {
		for range perWorker {
			last, err := try(w, 1)
			if err == nil {
				err = c.note(last)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	return nil
}

var seed = maphash.MakeSeed()

// digest of an id of bytes; 0 for an id of zero bytes only.
func digest(id []byte) uint64 {
	for _, b := range id {
		if b != 0 {
			return max(maphash.Bytes(seed, id), 1)
		}
	}
	return 0
}

// must is for settings that are constants of this program.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
