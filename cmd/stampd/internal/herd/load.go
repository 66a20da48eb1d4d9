package herd

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/stampid/go-stamp/store"
)

// Window is the length of time in which calls are counted.
const Window = 100 * time.Millisecond

// Count is how many calls began in a window, by how they ended.
type Count struct{ Served, Failed int }

// Calls is the sum.
func (c Count) Calls() int { return c.Served + c.Failed }

// Load is the counts of all windows, one after the other.
type Load []Count

// Between are the windows that begin in [from, to).
func (l Load) Between(from, to time.Duration) Load {
	up := func(d time.Duration) int { return min(len(l), int((d+Window-1)/Window)) }
	return l[up(from):up(to)]
}

// Peak is the most calls of a window, 0 without windows.
func (l Load) Peak() (most int) {
	for _, c := range l {
		most = max(most, c.Calls())
	}
	return most
}

// Mean is the calls of a window on average, 0 without windows.
func (l Load) Mean() float64 {
	sum := 0
	for _, c := range l {
		sum += c.Calls()
	}
	return float64(sum) / float64(max(1, len(l)))
}

// recorder counts calls from an instant on.
type recorder struct {
	begun time.Time
	mu    sync.Mutex
	load  Load
}

func newRecorder(length time.Duration) *recorder {
	return &recorder{begun: time.Now(), load: make(Load, (length+Window-1)/Window)}
}

// note counts a call that began at an instant, if that is within the length.
func (r *recorder) note(began time.Time, err error) {
	window := int(began.Sub(r.begun) / Window)
	r.mu.Lock()
	defer r.mu.Unlock()
	if window >= len(r.load) {
		return
	}
	if err == nil {
		r.load[window].Served++
	} else {
		r.load[window].Failed++
	}
}

// counts is what was counted so far.
func (r *recorder) counts() Load {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.load)
}

// recorded is a store whose allocations are counted.
type recorded struct {
	store.Counters
	by *recorder
}

func (r recorded) Allocate(ctx context.Context, key store.Key, n int64) (int64, error) {
	began := time.Now()
	maxID, err := r.Counters.Allocate(ctx, key, n)
	r.by.note(began, err)
	return maxID, err
}
