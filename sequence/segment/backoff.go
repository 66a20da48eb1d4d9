package segment

import (
	"errors"
	"math/rand/v2"
	"time"

	"github.com/stampid/go-stamp/store"
)

// backoff is what follows failed fetches.
type backoff struct {
	failures int
	next     time.Time // no fetch starts before it
	of       *group    // the only one that this is for; nil: all of them
	err      error     // of the last fetch
	retry    *time.Timer
}

// holds tells whether it is too early for a fetch of a group's numbers.
func (b *backoff) holds(of *group, now time.Time) bool {
	return now.Before(b.next) && (b.of == nil || b.of.name == of.name)
}

// failed notes a failed fetch, and returns the error for those who waited. If
// there are segments left, or callers ran dry, the next attempt is made in the
// background; else by the next caller.
func (g *Generator) failed(f *flight, err error, now time.Time) error {
	wrapped := &FetchError{Counter: f.counter, N: f.n, Err: err}
	g.meter.failures++
	g.distance.relent()
	b := &g.backoff
	b.stop()
	wait := g.options.backoff(b.failures)
	b.failures++
	b.err, b.next, b.of = wrapped, now.Add(wait), nil
	if errors.Is(err, store.ErrInvalid) || errors.Is(err, store.ErrExhausted) {
		b.of = f.group // it is this counter's trouble, not the store's
	}
	if g.background() {
		b.retry = time.AfterFunc(wait, g.retryFetch)
	}
	next := b.next
	g.emit(func(l *Listener) {
		call(l.OnFetchFailed, FetchFailed{Counter: f.counter, N: f.n, Took: now.Sub(f.started), Next: next, Err: err})
	})
	return wrapped
}

// backoff is the wait after a failure that followed so many others: half of it
// sure, half random, so that instances don't retry in step.
func (o *Options) backoff(failures int) time.Duration {
	wait := o.BackoffMax
	if failures < 62 && o.BackoffMin <= o.BackoffMax>>failures {
		wait = o.BackoffMin << failures
	}
	return wait - rand.N(wait/2+1)
}

// retryFetch is the attempt in the background.
func (g *Generator) retryFetch() {
	r, now := g.read(), time.Now()
	g.mu.Lock()
	defer g.unlock()
	if g.flight != nil || g.stopped != nil {
		return
	}
	if g.calendar != nil && !r.Wall.Before(g.group.end) {
		return // nobody may want numbers of the next group; whoever does will fetch
	}
	g.shed(r.Monotonic)
	g.plan(now)
}

func (b *backoff) stop() {
	if b.retry != nil {
		b.retry.Stop()
		b.retry = nil
	}
}

func (b *backoff) clear() {
	b.stop()
	*b = backoff{}
}
