package watching

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/stampid/go-stamp/store"
)

// Counter is a source that asks a store where a counter stands. Its rate is that of
// all who use the counter.
type Counter struct {
	store string
	key   store.Key
	end   int64
	peek  func(context.Context, store.Key) (int64, error)

	asked   time.Time // before the last answer, zero before the first
	at      int64     // at the last answer
	most    int64     // at any answer
	moved   time.Time // when it was first seen where it is
	rate    float64
	peak    float64
	changes bool // it has moved since it is watched
}

// NewCounter watches a counter up to its end, the last number that can be used.
func NewCounter(storeName string, key store.Key, end int64, peek func(context.Context, store.Key) (int64, error)) *Counter {
	return &Counter{store: storeName, key: key, end: end, peek: peek}
}

// Name is that of the store.
func (c *Counter) Name() string { return c.store }

// Ask peeks.
func (c *Counter) Ask(ctx context.Context) ([]Row, error) {
	now := time.Now()
	at, err := c.peek(ctx, c.key)
	if errors.Is(err, store.ErrNoCounter) {
		row := Row{Source: c.store, Counter: c.key.String(), Missing: true, Left: Forever, State: "not there", Level: Warning}
		if c.most > 0 {
			row.Level, row.State, row.WentBack = Critical, fmt.Sprintf("LOST, stood at %d", c.most), true
		}
		return []Row{row}, nil
	}
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, err
	}
	c.see(at, now)
	row := counterRow(c.store, c.key.String(), at, c.end, c.rate, c.peak)
	switch idle := now.Sub(c.moved); {
	case at < c.most:
		row.WentBack = true
		row.worse(Critical, fmt.Sprintf("WENT BACK by %d", c.most-at))
	case c.changes && idle >= time.Minute, !c.changes && idle > 0:
		row.State += ", unused for " + shortDuration(idle)
	}
	return []Row{row}, nil
}

// see brings the rate up to date: an average in which what is a minute old counts
// for a third, since a counter moves by whole segments.
func (c *Counter) see(at int64, now time.Time) {
	if c.asked.IsZero() {
		c.moved = now
	} else if passed := now.Sub(c.asked).Seconds(); passed > 0 {
		rate := float64(max(at-c.at, 0)) / passed
		weight := 1 - math.Exp(-passed/60)
		if c.rate == 0 {
			weight = 1
		}
		c.rate += (rate - c.rate) * weight
		c.peak = max(c.peak, rate)
	}
	if !c.asked.IsZero() && at != c.at {
		c.moved, c.changes = now, true
	}
	c.asked, c.at, c.most = now, at, max(c.most, at)
}

// What is left of a counter should last for years.
const (
	soon     = 365 * 24 * time.Hour
	verySoon = 30 * 24 * time.Hour
)

// counterRow judges where a counter stands.
func counterRow(source, name string, at, end int64, rate, peak float64) Row {
	r := Row{
		Source: source, Counter: name, At: at,
		Remaining: uint64(max(end-at, 0)), Rate: rate, Peak: peak, State: fmt.Sprintf("at %d", at),
	}
	r.Left = lasts(r.Remaining, rate)
	switch {
	case at >= end:
		r.Left = 0
		r.worse(Critical, "USED UP")
	case r.Left < verySoon:
		r.worse(Critical, fmt.Sprintf("at %d, ends soon", at))
	case r.Left < soon:
		r.worse(Warning, fmt.Sprintf("at %d, ends within a year", at))
	}
	return r
}
