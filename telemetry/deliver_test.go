package telemetry_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/telemetry"
)

func TestEmitIsSynchronous(t *testing.T) {
	var order []string
	t.Cleanup(telemetry.Subscribe(func(telemetry.Overflow) { order = append(order, "subscriber") }))
	telemetry.Emit(nil, telemetry.Overflow{})
	order = append(order, "caller")
	require.Equal(t, []string{"subscriber", "caller"}, order)
}

// One caller's subscriber sleeps for an hour; the others' deliveries to the
// same subscriber don't wait for it.
func TestSlowSubscriberDelaysOneCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var quick atomic.Int64
		l := &telemetry.Listener{OnOverflow: func(e telemetry.Overflow) {
			if e.Count > 1 {
				time.Sleep(time.Hour)
				return
			}
			quick.Add(1)
		}}
		start := time.Now()
		var slow sync.WaitGroup
		slow.Go(func() { telemetry.Emit(l, telemetry.Overflow{Count: 2}) })
		synctest.Wait()
		for range 100 {
			telemetry.Emit(l, telemetry.Overflow{Count: 1})
		}
		require.EqualValues(t, 100, quick.Load())
		require.Zero(t, time.Since(start))
		slow.Wait()
		require.Equal(t, time.Hour, time.Since(start))
	})
}

func TestEmitExactlyOncePerEvent(t *testing.T) {
	const goroutines, events = 8, 1000
	before := telemetry.Suppressed()
	var listener, subscriber atomic.Int64
	l := &telemetry.Listener{OnOverflow: func(telemetry.Overflow) { listener.Add(1) }}
	t.Cleanup(telemetry.Subscribe(func(telemetry.Overflow) { subscriber.Add(1) }))
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for range events {
				telemetry.Emit(l, telemetry.Overflow{})
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, goroutines*events, listener.Load())
	require.EqualValues(t, goroutines*events, subscriber.Load())
	require.Equal(t, before, telemetry.Suppressed())
}

// Eight goroutines, a subscriber that causes one more event in each delivery
// and one that doesn't. Both get every outer event, the second the inner ones
// too, and exactly the inner ones are held back from the first.
func TestNestedEventsWithManyGoroutines(t *testing.T) {
	const goroutines, events = 8, 500
	before := telemetry.Suppressed()
	var nesting, plain atomic.Uint64
	t.Cleanup(telemetry.Subscribe(func(telemetry.Overflow) {
		nesting.Add(1)
		telemetry.Emit(nil, telemetry.Overflow{Count: 2})
	}))
	t.Cleanup(telemetry.Subscribe(func(telemetry.Overflow) { plain.Add(1) }))
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for range events {
				telemetry.Emit(nil, telemetry.Overflow{Count: 1})
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, goroutines*events, nesting.Load())
	require.EqualValues(t, 2*goroutines*events, plain.Load())
	require.EqualValues(t, goroutines*events, telemetry.Suppressed()-before)
}

// Two subscribers that both cause an event whenever they are called: each gets
// the outer event and that of the other, and nobody its own.
func TestMutualRecursion(t *testing.T) {
	before := telemetry.Suppressed()
	var calls []string
	subscribe := func(name string) {
		t.Cleanup(telemetry.Subscribe(func(telemetry.Overflow) {
			calls = append(calls, name)
			telemetry.Emit(nil, telemetry.Overflow{})
		}))
	}
	subscribe("a")
	subscribe("b")
	telemetry.Emit(nil, telemetry.Overflow{})
	require.Equal(t, []string{"a", "b", "b", "a"}, calls)
	// In a: from a. In b in a: from a and b. Likewise from the outer b.
	require.EqualValues(t, 6, telemetry.Suppressed()-before)
}

// The functions of a listener are one subscriber, whichever way it is reached.
func TestNestedEventsOfAListener(t *testing.T) {
	before := telemetry.Suppressed()
	var calls []string
	l := new(telemetry.Listener)
	l.OnOverflow = func(telemetry.Overflow) {
		calls = append(calls, "overflow")
		telemetry.Emit(l, telemetry.Ahead{})
	}
	l.OnAhead = func(telemetry.Ahead) { calls = append(calls, "ahead") }
	t.Cleanup(telemetry.SubscribeListener(l))
	telemetry.Emit(nil, telemetry.Overflow{})
	require.Equal(t, []string{"overflow"}, calls)
	require.EqualValues(t, 2, telemetry.Suppressed()-before)
}

// Far more frames than a first look at the stack holds lie between the
// delivery and the event that it causes.
func TestNestedEventsInADeepStack(t *testing.T) {
	before := telemetry.Suppressed()
	calls := 0
	t.Cleanup(telemetry.Subscribe(func(telemetry.Overflow) {
		calls++
		recurse(10_000, func() { telemetry.Emit(nil, telemetry.Overflow{}) })
	}))
	telemetry.Emit(nil, telemetry.Overflow{})
	require.Equal(t, 1, calls)
	require.EqualValues(t, 1, telemetry.Suppressed()-before)
}

func recurse(depth int, fn func()) {
	if depth == 0 {
		fn()
		return
	}
	recurse(depth-1, fn)
}

// A goroutine that a subscriber starts is not inside the delivery, even while
// the subscriber waits for it.
func TestEventsOfOtherGoroutinesAreDelivered(t *testing.T) {
	before := telemetry.Suppressed()
	var calls atomic.Int64
	t.Cleanup(telemetry.Subscribe(func(e telemetry.Overflow) {
		calls.Add(1)
		if e.Count > 0 {
			var wg sync.WaitGroup
			wg.Go(func() { telemetry.Emit(nil, telemetry.Overflow{Count: e.Count - 1}) })
			wg.Wait()
		}
	}))
	telemetry.Emit(nil, telemetry.Overflow{Count: 3})
	require.EqualValues(t, 4, calls.Load())
	require.Equal(t, before, telemetry.Suppressed())
}

// logTo makes a logger with handler the default one for the test.
func logTo(t *testing.T, handler slog.Handler) {
	t.Helper()
	before := slog.Default()
	slog.SetDefault(slog.New(handler))
	t.Cleanup(func() { slog.SetDefault(before) })
}

func TestPanickingSubscriber(t *testing.T) {
	var log bytes.Buffer
	logTo(t, slog.NewTextHandler(&log, nil))
	calls, others := 0, 0
	t.Cleanup(telemetry.Subscribe(func(telemetry.Overflow) {
		calls++
		panicker(calls)
	}))
	t.Cleanup(telemetry.Subscribe(func(telemetry.Overflow) { others++ }))

	require.NotPanics(t, func() { telemetry.Emit(nil, telemetry.Overflow{}) })
	require.Contains(t, log.String(), "level=ERROR")
	require.Contains(t, log.String(), `panic="call 1"`)
	require.Contains(t, log.String(), "telemetry_test.panicker", "the stack of the panic")

	log.Reset()
	require.NotPanics(t, func() { telemetry.Emit(nil, telemetry.Overflow{}) })
	require.Empty(t, log.String(), "only the first panic is logged")
	require.Equal(t, 2, calls, "it stays subscribed")
	require.Equal(t, 2, others)
}

func panicker(call int) {
	if call == 1 {
		panic("call 1")
	}
	panic(errors.New("another"))
}

// handlerFunc is a log handler that only calls a function.
type handlerFunc func()

func (handlerFunc) Enabled(context.Context, slog.Level) bool    { return true }
func (f handlerFunc) Handle(context.Context, slog.Record) error { f(); return nil }
func (f handlerFunc) WithAttrs([]slog.Attr) slog.Handler        { return f }
func (f handlerFunc) WithGroup(string) slog.Handler             { return f }

func TestPanicOfTheLogHandler(t *testing.T) {
	logTo(t, handlerFunc(func() { panic("handler") }))
	t.Cleanup(telemetry.Subscribe(func(telemetry.Overflow) { panic("subscriber") }))
	require.NotPanics(t, func() { telemetry.Emit(nil, telemetry.Overflow{}) })
}

// A log handler that makes ids while it logs a subscriber's panic is still
// inside that subscriber's delivery.
func TestEventsOfTheLogHandler(t *testing.T) {
	before := telemetry.Suppressed()
	logTo(t, handlerFunc(func() { telemetry.Emit(nil, telemetry.Overflow{}) }))
	calls := 0
	t.Cleanup(telemetry.Subscribe(func(telemetry.Overflow) {
		calls++
		panic("subscriber")
	}))
	telemetry.Emit(nil, telemetry.Overflow{})
	require.Equal(t, 1, calls)
	require.EqualValues(t, 1, telemetry.Suppressed()-before)

	telemetry.Emit(nil, telemetry.Overflow{})
	require.Equal(t, 2, calls, "the first delivery has ended")
}

func TestEmitWithNobodyListeningDoesNotAllocate(t *testing.T) {
	l := &telemetry.Listener{OnAhead: func(telemetry.Ahead) {}}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		telemetry.Emit(nil, telemetry.Overflow{SequenceID: "orders", Count: 1})
		telemetry.Emit(l, telemetry.Overflow{SequenceID: "orders", Count: 1})
		telemetry.Emit(nil, telemetry.ClockStep{Kind: telemetry.StepBack})
	}))
}

func BenchmarkEmit(b *testing.B) {
	event := telemetry.Overflow{SequenceID: "orders", Count: 1}
	b.Run("nobody", func(b *testing.B) {
		for b.Loop() {
			telemetry.Emit(nil, event)
		}
	})
	l := &telemetry.Listener{OnOverflow: func(telemetry.Overflow) {}}
	b.Run("listener", func(b *testing.B) {
		for b.Loop() {
			telemetry.Emit(l, event)
		}
	})
	// The listener is in a delivery on another goroutine all the while.
	b.Run("listener busy elsewhere", func(b *testing.B) {
		entered, leave := make(chan struct{}), make(chan struct{})
		busy := &telemetry.Listener{OnOverflow: func(e telemetry.Overflow) {
			if e.Count == 2 {
				close(entered)
				<-leave
			}
		}}
		go telemetry.Emit(busy, telemetry.Overflow{Count: 2})
		<-entered
		for b.Loop() {
			telemetry.Emit(busy, event)
		}
		close(leave)
	})
}
