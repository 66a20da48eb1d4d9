package server

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/stampid/go-stamp/sequence/segment/watch"
	"github.com/stampid/go-stamp/store"
)

// maxWatched is how many counters are kept in view. The one that was asked for
// longest ago makes room: groups by day leave one a day behind.
const maxWatched = 1000

// leastSample is how far samples of a rate are apart at least.
const leastSample = 10 * time.Millisecond

// traffic is what was reserved through the server, by counter.
type traffic struct {
	now func() time.Time

	mu       sync.Mutex
	counters map[store.Key]*flow
}

// flow is the traffic of one counter.
type flow struct {
	watch.Counter
	asked     time.Time // last
	sampled   time.Time
	sampledAt uint64
}

// allocated notes an allocation. A counter that there isn't is no traffic.
func (t *traffic) allocated(key store.Key, n, maxID int64, err error) {
	if errors.Is(err, store.ErrNoCounter) || errors.Is(err, store.ErrInvalid) {
		return
	}
	now := t.now()
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.flow(key, now)
	f.asked = now
	if err != nil {
		f.Failures++
	} else {
		f.Allocations++
		f.Allocated += uint64(n)
		// Answers overtake each other.
		f.MaxID, f.Last = max(f.MaxID, maxID), now
	}
	f.sample(now)
}

// flow returns that of a counter.
func (t *traffic) flow(key store.Key, now time.Time) *flow {
	if f := t.counters[key]; f != nil {
		return f
	}
	if t.counters == nil {
		t.counters = map[store.Key]*flow{}
	}
	if len(t.counters) >= maxWatched {
		var oldest store.Key
		first := true
		for k, f := range t.counters {
			if first || f.asked.Before(t.counters[oldest].asked) {
				oldest, first = k, false
			}
		}
		delete(t.counters, oldest)
	}
	f := &flow{Counter: watch.Counter{Counter: key.String()}, sampled: now}
	t.counters[key] = f
	return f
}

// sample brings the rate up to date: an average in which what is a second old
// counts for a third, as that of a generator.
func (f *flow) sample(now time.Time) {
	passed := now.Sub(f.sampled)
	if passed < leastSample {
		return
	}
	rate := float64(f.Allocated-f.sampledAt) / passed.Seconds()
	f.Rate += (rate - f.Rate) * (1 - math.Exp(-passed.Seconds()))
	f.PeakRate = max(f.PeakRate, f.Rate)
	f.sampled, f.sampledAt = now, f.Allocated
}

// report tells of all counters, by name.
func (t *traffic) report() watch.Report {
	now := t.now()
	t.mu.Lock()
	defer t.mu.Unlock()
	counters := make([]watch.Counter, 0, len(t.counters))
	for _, f := range t.counters {
		f.sample(now)
		counters = append(counters, f.Counter)
	}
	slices.SortFunc(counters, func(a, b watch.Counter) int { return cmp.Compare(a.Counter, b.Counter) })
	return watch.Report{Counters: counters}
}
