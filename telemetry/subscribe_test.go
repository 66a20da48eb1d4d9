package telemetry_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/telemetry"
)

var errTaken = errors.New("duplicate key")

// each runs a test for all six kinds of event, with an event that isn't the
// zero value and a listener that passes what it gets to the function.
func each(t *testing.T,
	overflow func(*testing.T, telemetry.Overflow),
	ahead func(*testing.T, telemetry.Ahead),
	step func(*testing.T, telemetry.ClockStep),
	expiring func(*testing.T, telemetry.Expiring),
	offset func(*testing.T, telemetry.ClockOffset),
	duplicate func(*testing.T, telemetry.Duplicate),
) {
	t.Helper()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	t.Run("overflow", func(t *testing.T) {
		overflow(t, telemetry.Overflow{
			SequenceID: "orders", Node: 3, Partition: 5, Time: 10, LastTime: 12, Count: 1, Ahead: time.Second,
		})
	})
	t.Run("ahead", func(t *testing.T) {
		ahead(t, telemetry.Ahead{
			SequenceID: "orders", Node: 3, Partition: 5, Threshold: time.Second, Ahead: 2 * time.Second,
		})
	})
	t.Run("clock step", func(t *testing.T) {
		step(t, telemetry.ClockStep{Kind: telemetry.StepBack, By: -time.Hour, From: now, To: now.Add(-time.Hour)})
	})
	t.Run("expiring", func(t *testing.T) {
		expiring(t, telemetry.Expiring{SequenceID: "orders", Node: 3, Partition: 5, End: now, Left: time.Hour})
	})
	t.Run("clock offset", func(t *testing.T) {
		offset(t, telemetry.ClockOffset{
			Server: "a.example", Offset: -time.Minute, Bound: time.Millisecond, RoundTrip: 2 * time.Millisecond,
			Max: time.Second, Exceeded: true,
		})
	})
	t.Run("duplicate", func(t *testing.T) {
		duplicate(t, telemetry.Duplicate{SequenceID: "orders", ID: 1 << 53, Err: errTaken})
	})
}

// received subscribes a function and says what it has been given.
func received[E telemetry.Event](t *testing.T, event E) {
	t.Helper()
	var got, later []E
	cancel := telemetry.Subscribe(func(e E) { got = append(got, e) })
	cancelLater := telemetry.Subscribe(func(e E) {
		require.Len(t, got, len(later)+1, "the earlier subscriber comes first")
		later = append(later, e)
	})
	t.Cleanup(cancel)
	t.Cleanup(cancelLater)

	telemetry.Emit(nil, event)
	require.Equal(t, []E{event}, got)
	require.Equal(t, []E{event}, later)

	cancel()
	cancel()
	require.NotPanics(t, func() { cancelLater(); cancelLater() })
	telemetry.Emit(nil, event)
	require.Len(t, got, 1, "cancelled")
	require.Len(t, later, 1, "cancelled")
}

func TestSubscribeReceivesItsKind(t *testing.T) {
	each(t, received[telemetry.Overflow], received[telemetry.Ahead],
		received[telemetry.ClockStep], received[telemetry.Expiring], received[telemetry.ClockOffset], received[telemetry.Duplicate])
}

func TestSubscribeOtherKindsAreNotDelivered(t *testing.T) {
	calls := 0
	t.Cleanup(telemetry.Subscribe(func(telemetry.Ahead) { calls++ }))
	telemetry.Emit(nil, telemetry.Overflow{})
	telemetry.Emit(nil, telemetry.ClockStep{})
	telemetry.Emit(nil, telemetry.Expiring{})
	telemetry.Emit(nil, telemetry.ClockOffset{})
	telemetry.Emit(nil, telemetry.Duplicate{})
	require.Zero(t, calls)
}

func TestSubscribeNil(t *testing.T) {
	cancel := telemetry.Subscribe[telemetry.Overflow](nil)
	telemetry.Emit(nil, telemetry.Overflow{})
	cancel()
	cancel = telemetry.SubscribeListener(nil)
	telemetry.Emit(nil, telemetry.Overflow{})
	cancel()
}

func TestCancelOneOfTwoEqual(t *testing.T) {
	calls := 0
	fn := func(telemetry.Overflow) { calls++ }
	cancel := telemetry.Subscribe(fn)
	t.Cleanup(telemetry.Subscribe(fn))
	telemetry.Emit(nil, telemetry.Overflow{})
	require.Equal(t, 2, calls)
	cancel()
	cancel()
	telemetry.Emit(nil, telemetry.Overflow{})
	require.Equal(t, 3, calls)
}

func TestCancelFromWithinADelivery(t *testing.T) {
	calls := 0
	var cancel func()
	cancel = telemetry.Subscribe(func(telemetry.Overflow) {
		calls++
		cancel()
	})
	telemetry.Emit(nil, telemetry.Overflow{})
	telemetry.Emit(nil, telemetry.Overflow{})
	require.Equal(t, 1, calls)
}

// A subscriber that stays gets every event while others come and go.
func TestSubscribeWhileEmitting(t *testing.T) {
	const goroutines, events = 4, 500
	var stays atomic.Int64
	t.Cleanup(telemetry.Subscribe(func(telemetry.Overflow) { stays.Add(1) }))

	done := make(chan struct{})
	var churn, emitters sync.WaitGroup
	for range goroutines {
		churn.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					cancel := telemetry.Subscribe(func(telemetry.Overflow) {})
					cancelAll := telemetry.SubscribeListener(&telemetry.Listener{OnOverflow: func(telemetry.Overflow) {}})
					cancel()
					cancelAll()
				}
			}
		})
		emitters.Go(func() {
			for range events {
				telemetry.Emit(nil, telemetry.Overflow{})
			}
		})
	}
	emitters.Wait()
	close(done)
	churn.Wait()
	require.EqualValues(t, goroutines*events, stays.Load())
}
