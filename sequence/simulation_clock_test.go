package sequence_test

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/stampid/go-stamp/clock"
)

// simClock is a clock that the simulation moves: a clock.Manual, or counted.
type simClock interface {
	clock.Clock
	// Advance lets time pass.
	Advance(d time.Duration)
	// Step moves the wall clock alone.
	Step(d time.Duration)
}

func newManual(start time.Time) simClock { return clock.NewManual(start) }

// source is the clock that a sequence is to have.
func source(c simClock) clock.Clock {
	if c, ok := c.(*counted); ok {
		return c.System
	}
	return c
}

// counted is a system clock in a bubble, with a wall clock and a counter that
// can be disturbed.
type counted struct {
	*clock.System
	offset atomic.Int64 // of the wall clock

	mu    sync.Mutex
	since time.Time     // when the counter stood
	at    time.Duration // there; it has run
	speed float64       // so fast since then
}

func newCounted(wall time.Time) simClock {
	c := &counted{since: time.Now(), at: 1000 * time.Hour, speed: 1}
	c.offset.Store(int64(wall.Sub(c.since)))
	c.System = clock.NewSystem(clock.Options{
		Wall:  func() time.Time { return time.Now().Add(time.Duration(c.offset.Load())) },
		Ticks: c.ticks,
	})
	return c
}

func (c *counted) ticks() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return uint64(2.5 * float64(c.stand()))
}

// stand is what the counter shows, as a time. c is locked.
func (c *counted) stand() time.Duration {
	return c.at + time.Duration(c.speed*float64(time.Since(c.since)))
}

func (c *counted) Advance(d time.Duration) { time.Sleep(d) }

// Step makes the counter jump too. After a jump back, it can meet gates of
// before, which are then open for what was left of them, and ids have their times.
// So it goes back by an hour, or passes the time from which it jumped at once.
func (c *counted) Step(d time.Duration) {
	c.offset.Add(int64(d))
	d = max(d, -d)
	switch d % 4 {
	case 0:
		c.jump(d / 1000)
	case 1:
		c.jump(-time.Hour)
	case 2:
		c.jump(-d % trust)
		c.Advance(trust)
	}
}

func (c *counted) jump(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at += d
}

// pace makes the counter go at another speed from now on.
func (c *counted) pace(speed float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at, c.since, c.speed = c.stand(), time.Now(), speed
}
