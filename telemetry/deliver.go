package telemetry

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
)

// Emit delivers e to l, which may be nil, and to all process-wide subscribers
// of its type. It returns when all of them have; it doesn't panic when they
// do. It may be called from any number of goroutines.
func Emit[E Event](l *Listener, e E) {
	fn := handler[E](l)
	subscribers := topicOf[E]().subscribers()
	if fn == nil && len(subscribers) == 0 {
		return
	}
	if fn != nil {
		l.guard.deliver(&delivery[E]{fn, e})
	}
	for _, s := range subscribers {
		s.guard.deliver(&delivery[E]{s.fn, e})
	}
}

// Suppressed returns how many deliveries have been held back since the program
// started because the subscriber had caused the event itself, from within a
// delivery. An event that is held back from two subscribers counts twice.
func Suppressed() uint64 {
	return suppressed.Load()
}

var suppressed atomic.Uint64

// call is a delivery without its type parameter: the frames of mark.go can
// only be recognised when they belong to ordinary functions.
type call interface {
	call()
}

type delivery[E Event] struct {
	fn    func(E)
	event E
}

func (d *delivery[E]) call() {
	d.fn(d.event)
}

// guard is what all deliveries to one subscriber share.
type guard struct {
	number   atomic.Uint64 // names the subscriber on call stacks; 0 before its first delivery
	running  atomic.Int64  // deliveries under way, on all goroutines
	panicked atomic.Bool   // a panic has been logged
}

var lastNumber atomic.Uint64

// deliver makes the call unless this goroutine is already inside a delivery to
// the same subscriber. That is looked up on the call stack, which takes a
// microsecond or more, so only while some delivery is running: a goroutine
// always sees its own additions to running, and those of others only cost it
// the look.
func (g *guard) deliver(c call) {
	number := g.number.Load()
	if number == 0 {
		g.number.CompareAndSwap(0, lastNumber.Add(1))
		number = g.number.Load()
	}
	if g.running.Load() > 0 && marked(number) {
		suppressed.Add(1)
		return
	}
	g.running.Add(1)
	defer g.finish()
	mark(number, c)
}

// finish ends a delivery. After a panic the marked frames are still on the
// stack while it runs, so a log handler that makes ids is guarded as well.
func (g *guard) finish() {
	defer g.running.Add(-1)
	if value := recover(); value != nil && g.panicked.CompareAndSwap(false, true) {
		logPanic(value)
	}
}

// logPanic survives a panic of the log's handler: the caller is to get its id.
func logPanic(value any) {
	defer func() { _ = recover() }()
	slog.Default().LogAttrs(context.Background(), slog.LevelError,
		"telemetry: a subscriber panicked; it stays subscribed, and its further panics are not logged",
		slog.Any("panic", value), slog.String("stack", string(debug.Stack())))
}
