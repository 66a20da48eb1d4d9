package segment

import (
	"context"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/stampid/go-stamp/store"
)

// Listener is a set of functions that are called for the events of generators,
// each of them optional. Set them before the listener is used.
//
// They are called from many goroutines at once, with no lock held, and may
// make ids. One that panics is recovered and logged with slog.Default; one
// that is slow delays a caller or the next fetch. The last event of a fetch may
// come when Close has returned.
type Listener struct {
	OnFetch         func(Fetched)
	OnFetchFailed   func(FetchFailed)
	OnHunger        func(Hunger)
	OnRolledBack    func(RolledBack)
	OnMarkForgotten func(MarkForgotten)
}

// Fetched says that a fetch has reserved the numbers First to Last.
type Fetched struct {
	Counter     store.Key
	First, Last int64
	Took        time.Duration
}

// FetchFailed says that a fetch of N numbers failed. The next starts no sooner
// than at Next.
type FetchFailed struct {
	Counter store.Key
	N       int64
	Took    time.Duration
	Next    time.Time
	Err     error
}

// Hunger says that a caller found no numbers left, so that the prefetch
// distance, in segments, was raised. It comes once for a starvation.
type Hunger struct {
	Counter  store.Key
	From, To int64
}

// RolledBack says that a generator has stopped since its store lost counts.
type RolledBack RolledBackError

// MarkForgotten says that a group was used so long ago that its high-water
// mark was given up. A rollback of its counter would not be noticed now,
// except through an audit.
type MarkForgotten struct {
	Counter store.Key
	Mark    int64
}

// emit keeps an event until the lock is released.
func (g *Generator) emit(event func(*Listener)) {
	if g.options.Listener != nil {
		g.events = append(g.events, event)
	}
}

// unlock releases the lock, then delivers the events that came up under it.
func (g *Generator) unlock() {
	events := g.events
	g.events = nil
	g.mu.Unlock()
	for _, event := range events {
		deliver(g.options.Listener, event)
	}
}

func deliver(l *Listener, event func(*Listener)) {
	defer func() {
		if value := recover(); value != nil {
			logPanic(value)
		}
	}()
	event(l)
}

// logPanic survives a panic of the log's handler, which may be the listener's
// own trouble: a panic in the goroutine of a fetch would end the program.
func logPanic(value any) {
	defer func() { _ = recover() }()
	slog.Default().LogAttrs(context.Background(), slog.LevelError, "segment: a listener panicked",
		slog.Any("panic", value), slog.String("stack", string(debug.Stack())))
}

// call calls an optional function.
func call[E any](fn func(E), event E) {
	if fn != nil {
		fn(event)
	}
}
