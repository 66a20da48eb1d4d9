package fence

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/telemetry"
)

const (
	// The pause after a failure doubles from the first to the last of these,
	// or a quarter of the window if that is less, and trembles by half.
	firstPause = 20 * time.Millisecond
	lastPause  = time.Second
	// longestNap bounds how late a step of the clock is noticed.
	longestNap  = time.Second
	shortestNap = time.Millisecond
)

// work is what the worker remembers between its steps.
type work struct {
	failures int
	taken    bool // by take, which a holder that came with the record passes too
	// seen is the bound of the record that the clock is waited for, 0 if it
	// isn't: one that moves meanwhile has a living owner.
	seen  uint64
	alive bool
	told  bool // FenceBehind was reported
}

// run takes the record, and renews it until the guard ends or the record is
// lost. It makes one call of the store at a time.
func (g *guard) run() {
	defer close(g.done)
	var w work
	for g.ctx.Err() == nil {
		r := g.read()
		now := g.scale.unit(r.Reference)
		var err error
		switch next, due := g.due(now); {
		case w.taken && !due:
			g.nap(r, g.rest(r))
			continue
		case w.taken:
			err = g.renew(now, next)
		default:
			err = g.take(r, now, &w)
		}
		if err == nil {
			w.failures = 0
			continue
		}
		if g.ctx.Err() != nil || g.failed(r, err) {
			return
		}
		g.pause(r, err, &w)
	}
}

// read reads the clock. A step is noticed by one reading only, so it is passed
// on.
func (g *guard) read() clock.Reading {
	r := g.lane.Clock().Read()
	if step := r.Step; step.Kind != clock.NoStep {
		telemetry.Emit(g.fence.options.Listener, telemetry.ClockStep{
			Kind: telemetry.StepKind(step.Kind), By: step.By, From: step.From, To: step.To,
		})
	}
	return r
}

// due tells whether the bound is to be raised, and the first unit without an
// id.
func (g *guard) due(now uint64) (next uint64, due bool) {
	g.mu.Lock()
	demand, bound := g.demand, g.bound
	g.mu.Unlock()
	next = max(g.lane.Peak(), demand) + 1
	if bound < g.scale.end && max(now, next-1) >= g.scale.low(bound) {
		return next, true
	}
	return next, bound > 0 && g.untilRenewed() <= 0
}

// untilRenewed is how long the record may wait for a write for its time to live,
// whatever its bound is: that may be far ahead of the clock, or of units as long as
// hours.
func (g *guard) untilRenewed() time.Duration {
	ttl := g.fence.options.TTL
	if ttl == 0 {
		return longestNap
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return ttl/4 - time.Since(g.wrote)
}

// rest is how long the bound will do.
func (g *guard) rest(r clock.Reading) time.Duration {
	g.mu.Lock()
	low := g.scale.low(g.bound)
	g.mu.Unlock()
	return min(g.scale.time(low).Sub(r.Reference), g.untilRenewed())
}

// take makes the record this process's, if it may be.
func (g *guard) take(r clock.Reading, now uint64, w *work) error {
	if g.prior != nil { // the record is this process's, and no id was made
		if err := g.fence.place.check(nil); err != nil {
			return err
		}
		if err := g.mayBegin(g.prior.bound, g.prior.owner, r, now, w); err != nil {
			return err
		}
	}
	ctx, cancel := g.call()
	defer cancel()
	began := time.Now()
	err := g.holder.Take(ctx, func(found *Record) (Record, error) {
		if err := g.mayTake(found, r, now, w); err != nil {
			return Record{}, err
		}
		floor := uint64(0)
		if found != nil {
			floor = found.Bound
		}
		bound := g.scale.bound(now, floor)
		return Record{
			Space: g.fence.options.Space, Format: g.format, Node: g.lane.Node(), Owner: g.fence.options.Owner,
			Bound: max(bound, floor), Expires: g.expires(bound), Place: g.fence.place.text(),
		}, nil
	})
	if err != nil {
		return err
	}
	record, _ := g.holder.Held()
	w.taken = true
	g.lane.Begin(record.Floor)
	if g.prior != nil { // which left the bound where it was
		next, _ := g.due(now)
		return g.renew(now, next)
	}
	g.stored(record, time.Since(began))
	return nil
}

// mayTake says why the record found can't be taken now.
func (g *guard) mayTake(found *Record, r clock.Reading, now uint64, w *work) error {
	if err := g.fence.place.check(found); err != nil || found == nil {
		return err
	}
	err := g.mayBegin(found.Bound, found.Owner, r, now, w)
	if err == nil {
		return nil
	}
	w.alive = found.Held && (w.alive || w.seen != 0 && found.Bound > w.seen)
	w.seen = found.Bound
	if w.alive {
		return &HeldError{Key: g.key, Owner: found.Owner, Expires: found.Expires}
	}
	return err
}

// mayBegin says why ids can't begin at the bound that owner left.
func (g *guard) mayBegin(bound uint64, owner string, r clock.Reading, now uint64, w *work) error {
	decision := g.scale.start(now, bound, g.fence.options)
	floor := g.scale.time(bound)
	if bound > now && !w.told {
		w.told = true
		telemetry.Emit(g.fence.options.Listener, telemetry.FenceBehind{
			Space: g.fence.options.Space, Node: g.lane.Node(),
			Floor: floor, Clock: r.Reference, By: floor.Sub(r.Reference), Begins: decision == begin,
		})
	}
	if decision == begin {
		return nil
	}
	return &BehindError{Key: g.key, Floor: floor, Clock: r.Reference, Owner: owner, refuse: decision == refuse}
}

// renew raises the bound to a window beyond the clock and the unit next.
func (g *guard) renew(now, next uint64) error {
	ctx, cancel := g.call()
	defer cancel()
	if err := g.fence.place.check(nil); err != nil {
		return err
	}
	bound := g.scale.bound(now, next)
	began := time.Now()
	err := g.holder.Renew(ctx, func(record *Record) {
		record.Bound = max(record.Bound, bound)
		record.Expires = g.expires(record.Bound)
	})
	if err != nil {
		return err
	}
	record, _ := g.holder.Held()
	g.stored(record, time.Since(began))
	return nil
}

// expires is what the record says of its time: with a time to live, when that ends,
// so that each renewal is another text.
func (g *guard) expires(bound uint64) time.Time {
	if ttl := g.fence.options.TTL; ttl > 0 {
		return time.Now().Add(ttl)
	}
	return g.scale.expires(bound)
}

// call is the context of one dealing with the store.
func (g *guard) call() (context.Context, context.CancelFunc) {
	return context.WithTimeout(g.ctx, g.fence.options.CallTimeout)
}

// stored lets ids go on up to the bound that is durable now. Who has such an id
// and asks for the status waits for it to tell of that bound.
func (g *guard) stored(record Record, took time.Duration) {
	acquired := false
	g.update(func() {
		acquired = g.bound == 0
		g.lane.Allow(record.Bound, g.scale.low(record.Bound))
		g.floor, g.bound, g.err = record.Floor, record.Bound, nil
		g.wrote = time.Now().Add(-took) // the store counts from some time in between
	})
	telemetry.Emit(g.fence.options.Listener, telemetry.FenceRenewed{
		Space: g.fence.options.Space, Node: g.lane.Node(), Acquired: acquired,
		Floor: g.scale.time(record.Floor), Bound: g.scale.time(record.Bound), Took: took,
	})
}

// failed notes an error, and tells whether it is the end.
func (g *guard) failed(r clock.Reading, err error) (over bool) {
	o := &g.fence.options
	var lost *LostError
	if !errors.As(err, &lost) {
		var bound uint64
		g.update(func() { g.err, bound = err, g.bound })
		var behind *BehindError
		if !errors.As(err, &behind) { // which has an event of its own
			telemetry.Emit(o.Listener, telemetry.FenceFailed{
				Space: o.Space, Node: g.lane.Node(), Left: max(g.scale.time(bound).Sub(r.Reference), 0), Err: err,
			})
		}
		return false
	}
	if lost.wentBack() {
		// Whoever takes the record may begin below the bound that was stored.
		g.lane.Stop()
	}
	g.update(func() {
		g.lost, g.err = lost, lost
		if lost.wentBack() {
			g.bound = 0
		}
	})
	e := telemetry.FenceLost{Space: o.Space, Node: g.lane.Node(), Err: err}
	if lost.Found != nil {
		e.Owner, e.Bound = lost.Found.Owner, g.scale.time(lost.Found.Bound)
	}
	telemetry.Emit(o.Listener, e)
	return true
}

// pause waits after err: for the clock, if that is behind, and else longer
// after each failure.
func (g *guard) pause(r clock.Reading, err error, w *work) {
	var behind *BehindError
	if errors.As(err, &behind) {
		g.nap(r, behind.Floor.Sub(r.Reference))
		return
	}
	longest := min(lastPause, g.fence.options.Window/4)
	d := min(firstPause<<min(w.failures, 10), longest)
	w.failures++
	d = d/2 + rand.N(d/2+1)
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-g.ctx.Done():
	}
}

// nap sleeps for d at most, by the lane's clock, or until something is asked for.
func (g *guard) nap(r clock.Reading, d time.Duration) {
	ctx, cancel := context.WithCancel(g.ctx)
	defer cancel()
	g.mu.Lock()
	g.wake = cancel
	g.mu.Unlock()
	g.mu.Lock()
	taken := g.bound > 0
	g.mu.Unlock()
	if _, due := g.due(g.scale.unit(r.Reference)); due && taken {
		return // asked for before wake was set
	}
	_ = g.lane.Clock().Sleep(ctx, r, min(max(d, shortestNap), longestNap))
}
