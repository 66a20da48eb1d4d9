package main

import (
	"sync"
	"sync/atomic"
	"time"
)

// counter is a word that goroutines contend for, on cache lines of its own, as
// a sequence's is.
type counter struct {
	_    [128]byte
	word atomic.Uint64
	_    [120]byte
}

func (c *counter) floor(name string, w work) *subject {
	s := shared(name, w)
	s.count = c.word.Load
	return s
}

// atomicAdd claims a number, with no clock and no limits.
func atomicAdd() *subject {
	c := new(counter)
	return c.floor("atomic add", func(n int) (last uint64, err error) {
		for range n {
			last = c.word.Add(1)
		}
		return last, nil
	})
}

// swapLoop claims a number by load and compare-and-swap.
func swapLoop() *subject {
	c := new(counter)
	return c.floor("load + compare-and-swap loop", func(n int) (last uint64, err error) {
		for range n {
			for {
				old := c.word.Load()
				if c.word.CompareAndSwap(old, old+1) {
					last = old + 1
					break
				}
			}
		}
		return last, nil
	})
}

// monotonicAdd is the least that an id with the right time costs while every
// id reads a clock of the operating system.
func monotonicAdd() *subject {
	c := new(counter)
	return c.floor("monotonic clock + atomic add", func(n int) (last uint64, err error) {
		anchor := time.Now()
		var passed time.Duration
		for range n {
			passed |= time.Since(anchor)
			last = c.word.Add(1)
		}
		return last, hasPassed(passed)
	})
}

func monotonicClock() *subject {
	s := shared("monotonic clock", func(n int) (uint64, error) {
		anchor := time.Now()
		var passed time.Duration
		for range n {
			passed |= time.Since(anchor)
		}
		return uint64(max(passed, 1)), hasPassed(passed)
	})
	s.repeats = true
	return s
}

func wallClock() *subject {
	s := shared("wall clock", func(n int) (uint64, error) {
		var now int64
		for range n {
			now |= time.Now().UnixMilli()
		}
		return uint64(now), nil
	})
	s.repeats = true
	return s
}

// wallSwap is the plain design of a time-ordered id: the larger of the wall
// clock's time and the last id + 1, swapped in.
func wallSwap() *subject {
	c := new(counter)
	return shared("wall clock + swap", func(n int) (last uint64, err error) {
		for range n {
			now := uint64(time.Now().UnixMilli()) << 22
			for {
				old := c.word.Load()
				last = max(now, old+1)
				if c.word.CompareAndSwap(old, last) {
					break
				}
			}
		}
		return last, nil
	})
}

func mutexCounter() *subject {
	var c struct {
		_    [128]byte
		mu   sync.Mutex
		word uint64
		_    [112]byte
	}
	s := shared("mutex", func(n int) (last uint64, err error) {
		for range n {
			c.mu.Lock()
			c.word++
			last = c.word
			c.mu.Unlock()
		}
		return last, nil
	})
	s.count = func() uint64 {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.word
	}
	return s
}

// stringOf16 is the allocation that a text of up to 16 bytes needs.
func stringOf16() *subject {
	s := &subject{name: "string of 16 bytes", repeats: true, garbage: true}
	s.worker = func(int) work {
		k := new(sink)
		text := [16]byte{15: 'x'}
		return func(n int) (uint64, error) {
			for i := range n {
				text[0] = byte(i)
				k.text = string(text[:])
			}
			return uint64(len(k.text)), nil
		}
	}
	return s
}

// sink keeps a result on the heap, as a caller that stores it does.
type sink struct {
	text string
	_    [112]byte
}

func hasPassed(d time.Duration) error {
	if d < 0 {
		return errBackwards
	}
	return nil
}
