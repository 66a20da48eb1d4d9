package fence

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/store"
)

// guard is the fence of one lane: what callers see of it. The work is done by
// one goroutine, which the first call starts (worker.go).
type guard struct {
	fence  *Fence
	lane   *sequence.Lane
	key    store.Key
	format string
	scale  scale
	holder *Holder // of the worker, and of close after it
	prior  *prior  // nil unless the record was reserved

	ctx    context.Context // of the worker
	cancel context.CancelFunc
	done   chan struct{} // closed when the worker has ended
	ending chan struct{} // has room for the one that closes

	mu      sync.Mutex // not held over I/O
	started bool
	ended   bool      // close has begun
	floor   uint64    // once held
	bound   uint64    // durable; 0 until held
	wrote   time.Time // before the last write of the record began
	demand  uint64    // the highest unit that was asked for
	err     error     // of the last attempt, nil if it succeeded
	lost    *LostError
	changed chan struct{} // closed, and replaced, when any of the above changes
	wake    func()        // ends the worker's sleep
}

func newGuard(f *Fence, l *sequence.Lane, key guardKey) *guard {
	g := &guard{
		fence: f, lane: l, key: Key(f.options.Space, key.format, key.node), format: key.format,
		scale:   newScale(l, f.options),
		done:    make(chan struct{}),
		ending:  make(chan struct{}, 1),
		changed: make(chan struct{}),
		wake:    func() {},
	}
	g.ctx, g.cancel = context.WithCancel(context.Background())
	return g
}

// Await is that of [sequence.Guard].
func (g *guard) Await(ctx context.Context, unit uint64) error {
	for {
		ok, changed, err := g.ask(unit)
		if ok || refuses(err) {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return g.gaveUp(err, ctx.Err())
		}
	}
}

// Request is that of [sequence.Guard].
func (g *guard) Request(unit uint64) error {
	ok, _, err := g.ask(unit)
	if ok || refuses(err) {
		return err
	}
	return g.gaveUp(err, nil)
}

// ask tells whether ids of unit may be given out, and sees to it that they will
// be. If not, err is what the last attempt met, and changed is closed when there
// is news.
func (g *guard) ask(unit uint64) (ok bool, changed <-chan struct{}, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if unit > g.demand {
		g.demand = unit
	}
	switch {
	case g.ended:
		return false, nil, ErrStopped
	case g.lost == nil && !g.started:
		g.started = true
		go g.run()
	case g.bound > 0 && g.scale.low(g.bound) <= unit:
		g.wake()
	}
	switch {
	case g.bound > unit:
		return true, nil, nil
	case g.lost != nil:
		return false, nil, g.lost
	}
	return false, g.changed, g.err
}

// gaveUp is the error of a call that doesn't wait any more.
func (g *guard) gaveUp(err, cause error) error {
	var behind *BehindError
	if errors.As(err, &behind) {
		waited := *behind
		waited.Cause = cause
		return &waited
	}
	return &UnavailableError{Key: g.key, Store: err, Cause: cause}
}

// refuses tells errors that calls get at once. They may pass all the same: the
// worker goes on trying.
func refuses(err error) bool {
	var behind *BehindError
	if errors.As(err, &behind) {
		return behind.refuse
	}
	for _, refusal := range []error{ErrStopped, ErrLost, ErrHeld, ErrRecord, ErrCopied, store.ErrInvalid} {
		if errors.Is(err, refusal) {
			return true
		}
	}
	return false
}

// Status is that of [sequence.Guard].
func (g *guard) Status() sequence.FenceStatus {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := sequence.FenceStatus{Space: g.fence.options.Space, Node: g.lane.Node(), Err: g.err}
	switch {
	case g.ended:
		s.Err = ErrStopped
	case g.lost != nil:
		s.Err = g.lost
	}
	if g.bound > 0 {
		s.Held = !g.ended && g.lost == nil
		s.Floor, s.Bound = g.scale.time(g.floor), g.scale.time(g.bound)
	}
	return s
}

// update changes the state and tells who waits.
func (g *guard) update(change func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	change()
	close(g.changed)
	g.changed = make(chan struct{})
}

// end stops ids, without waiting for anything.
func (g *guard) end() {
	g.update(func() {
		g.ended = true
		if !g.started {
			g.started = true
			close(g.done)
		}
	})
	g.lane.Stop()
	g.cancel()
}

// close gives the record back, after end.
func (g *guard) close(ctx context.Context) error {
	select {
	case g.ending <- struct{}{}:
		defer func() { <-g.ending }()
	case <-ctx.Done():
		return g.gaveUp(nil, ctx.Err())
	}
	select {
	case <-g.done:
	case <-ctx.Done():
		return g.gaveUp(nil, ctx.Err())
	}
	if g.lost != nil { // nobody writes it any more
		return nil
	}
	next := min(g.lane.Stop(), g.bound)
	call, cancel := context.WithTimeout(ctx, g.fence.options.CallTimeout)
	defer cancel()
	err := g.holder.Release(call, next)
	if err != nil && !errors.Is(err, ErrLost) {
		return &UnavailableError{Key: g.key, Store: err}
	}
	return nil
}

// isHeld tells whether the worker has the record, or lost it.
func (g *guard) isHeld() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.bound > 0 || g.lost != nil || g.ended
}
