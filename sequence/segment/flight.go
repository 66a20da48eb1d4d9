package segment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/stampid/go-stamp/store"
)

// So many calls to a store that ignores its context may be left behind. While
// there are more, the store isn't asked again.
const maxLeftBehind = 8

// errInterrupted ends a fetch that nobody waited for when Close was called.
var errInterrupted = errors.New("segment: fetch interrupted by Close")

// flight is a fetch under way. Its result is written before done is closed.
type flight struct {
	done    chan struct{}
	segment *segment // nil after a failure
	err     error

	group   *group
	counter store.Key
	n       int64
	mark    int64 // the high-water mark before it
	marked  bool  // the counter is in use: there is a mark
	started time.Time
	waiters int
	landed  bool
	// hunger says that it was started after the distance was doubled.
	hunger      bool
	interrupted bool // by Close
	cancel      context.CancelFunc
	stop        func() bool // the watch over the context
}

// counter is the key of a group's counter.
func (g *Generator) counter(of *group) store.Key {
	if of.name == "" {
		return g.key
	}
	return store.Key{Namespace: g.key.Namespace, Name: g.key.Name + "@" + of.name}
}

// start starts the fetch of n numbers. None may be in flight.
func (g *Generator) start(of *group, n int64, now time.Time) error {
	f := &flight{done: make(chan struct{}), group: of, counter: g.counter(of), n: n, started: now, hunger: g.distance.undo > 0}
	f.mark, f.marked = g.marks.get(of.name)
	if g.meter.leftBehind >= maxLeftBehind {
		return g.failed(f, fmt.Errorf("%d calls to the store have not returned", g.meter.leftBehind), now)
	}
	ctx, cancel := context.WithTimeout(context.Background(), g.options.FetchTimeout)
	f.cancel = cancel
	f.stop = context.AfterFunc(ctx, func() { g.abandon(f) })
	g.flight = f
	g.meter.fetches++
	go func() {
		b, err := g.ask(ctx, f)
		g.land(f, b, err)
	}()
	return nil
}

// leave notes that a caller waits no longer.
func (g *Generator) leave(f *flight) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f.waiters--
}

// abandon ends a fetch whose context has ended before the store answered.
func (g *Generator) abandon(f *flight) {
	now := time.Now()
	g.mu.Lock()
	defer g.unlock()
	if f.landed {
		return
	}
	g.meter.leftBehind++
	err := errInterrupted
	if !f.interrupted {
		err = fmt.Errorf("%w: no answer within %v", store.ErrUnknownOutcome, g.options.FetchTimeout)
	}
	g.meter.wastedUnknown += uint64(f.n)
	g.conclude(f, block{}, err, now)
}

// land takes the answer of the store.
func (g *Generator) land(f *flight, b block, err error) {
	now, mono := time.Now(), time.Duration(0)
	if g.options.TTL > 0 {
		mono = g.options.Clock.Monotonic()
	}
	g.mu.Lock()
	defer g.unlock()
	if f.landed { // too late: what it may have reserved is lost
		g.meter.leftBehind--
		return
	}
	f.stop()
	if err == nil {
		b.expires = forever
		if g.options.TTL > 0 {
			b.expires = mono + g.options.TTL
		}
	} else if b.last > 0 || errors.Is(err, store.ErrUnknownOutcome) {
		g.meter.wastedUnknown += uint64(f.n)
	}
	if err != nil && f.interrupted {
		err = errInterrupted
	}
	g.conclude(f, b, err, now)
}

// conclude ends a fetch.
func (g *Generator) conclude(f *flight, b block, err error, now time.Time) {
	f.landed = true
	f.cancel()
	g.flight = nil
	defer close(f.done)
	var rolledBack *RolledBackError
	switch {
	case errors.Is(err, errInterrupted):
		f.err = err
	case errors.As(err, &rolledBack):
		f.err = g.halt(rolledBack)
	case err != nil:
		f.err = g.failed(f, err, now)
	default:
		g.arrived(f, b, now)
	}
}

// arrived puts a fetched segment where it belongs.
func (g *Generator) arrived(f *flight, b block, now time.Time) {
	g.meter.fetched(now.Sub(f.started))
	g.backoff.clear()
	g.distance.fed(f)
	if forgotten, mark, ok := g.marks.set(f.group.name, max(b.last, b.mark)); ok {
		g.emit(func(l *Listener) {
			call(l.OnMarkForgotten, MarkForgotten{Counter: g.counter(&group{name: forgotten}), Mark: mark})
		})
	}
	s := &segment{size: uint64(b.last - b.first + 1), first: b.first, group: f.group, expires: b.expires}
	s.low.Store(s.size)
	s.until.Store(int64(b.expires))
	if g.calendar != nil {
		s.until.Store(0) // not before somebody has looked at the clock
	}
	if g.stopped == nil {
		f.segment = s
	}
	g.emit(func(l *Listener) {
		call(l.OnFetch, Fetched{Counter: f.counter, First: b.first, Last: b.last, Took: now.Sub(f.started)})
	})
	switch {
	case g.stopped != nil:
		g.meter.wastedRollback += s.size
	case f.group.name == g.group.name:
		g.reserve = append(g.reserve, s)
		if g.current.Load().left() == 0 {
			g.advance(now)
		}
	case g.calendar != nil && f.group.day > g.group.day:
		g.ahead = s
	default:
		g.meter.wastedGroup += s.size
	}
	g.plan(now) // also after a fetch for another group: there was none for this one meanwhile
}

// halt stops the generator after a rollback. What it holds in reserve goes
// too: the store can give those numbers to others again.
func (g *Generator) halt(err *RolledBackError) error {
	g.meter.rollbacks++
	g.stopped = err
	g.drop(&g.meter.wastedRollback, func(*segment) bool { return true })
	if g.ahead != nil {
		g.meter.wastedRollback += g.ahead.size
		g.ahead = nil
	}
	g.stopTimers()
	g.emit(func(l *Listener) { call(l.OnRolledBack, RolledBack(*err)) })
	return err
}

// Resume lets a generator go on that has stopped with [ErrRolledBack], once the
// operator has raised the counter. If it is still below the mark the next
// fetch stops it again. One that hasn't stopped it leaves alone.
func (g *Generator) Resume() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stopped == nil {
		return
	}
	g.stopped = nil
	g.backoff.clear()
	if g.background() && g.distance.now > g.options.SafeDistance {
		g.watchDistance()
	}
}
