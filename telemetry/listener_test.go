package telemetry_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/telemetry"
)

// recorder is a listener that keeps what it gets.
type recorder struct {
	telemetry.Listener
	events []any
}

func newRecorder() *recorder {
	r := new(recorder)
	r.OnOverflow = func(e telemetry.Overflow) { r.events = append(r.events, e) }
	r.OnAhead = func(e telemetry.Ahead) { r.events = append(r.events, e) }
	r.OnClockStep = func(e telemetry.ClockStep) { r.events = append(r.events, e) }
	r.OnExpiring = func(e telemetry.Expiring) { r.events = append(r.events, e) }
	r.OnClockOffset = func(e telemetry.ClockOffset) { r.events = append(r.events, e) }
	r.OnDuplicate = func(e telemetry.Duplicate) { r.events = append(r.events, e) }
	r.OnFenceRenewed = func(e telemetry.FenceRenewed) { r.events = append(r.events, e) }
	r.OnFenceFailed = func(e telemetry.FenceFailed) { r.events = append(r.events, e) }
	r.OnFenceLost = func(e telemetry.FenceLost) { r.events = append(r.events, e) }
	r.OnFenceBehind = func(e telemetry.FenceBehind) { r.events = append(r.events, e) }
	return r
}

func listened[E telemetry.Event](t *testing.T, event E) {
	t.Helper()
	own, other := newRecorder(), newRecorder()
	t.Cleanup(telemetry.Subscribe(func(E) {
		require.Len(t, own.events, 1, "the listener comes before the process-wide subscribers")
	}))
	telemetry.Emit(&own.Listener, event)
	require.Equal(t, []any{event}, own.events)
	require.Empty(t, other.events)
}

func TestListenerReceivesEachKind(t *testing.T) {
	each(t, listened[telemetry.Overflow], listened[telemetry.Ahead],
		listened[telemetry.ClockStep], listened[telemetry.Expiring], listened[telemetry.ClockOffset], listened[telemetry.Duplicate])
}

func listenedProcessWide[E telemetry.Event](t *testing.T, event E) {
	t.Helper()
	r := newRecorder()
	cancel := telemetry.SubscribeListener(&r.Listener)
	t.Cleanup(cancel)
	telemetry.Emit(nil, event)
	require.Equal(t, []any{event}, r.events)
	telemetry.Emit(&r.Listener, event)
	require.Len(t, r.events, 3, "set in a configuration and process-wide: twice")
	cancel()
	cancel()
	telemetry.Emit(nil, event)
	require.Len(t, r.events, 3)
}

func TestSubscribeListenerReceivesEachKind(t *testing.T) {
	each(t, listenedProcessWide[telemetry.Overflow], listenedProcessWide[telemetry.Ahead],
		listenedProcessWide[telemetry.ClockStep], listenedProcessWide[telemetry.Expiring], listenedProcessWide[telemetry.ClockOffset], listenedProcessWide[telemetry.Duplicate])
}

func emptyListener[E telemetry.Event](t *testing.T, event E) {
	t.Helper()
	l := new(telemetry.Listener)
	calls := 0
	t.Cleanup(telemetry.SubscribeListener(l))
	t.Cleanup(telemetry.Subscribe(func(E) { calls++ }))
	telemetry.Emit(l, event)
	require.Equal(t, 1, calls)
}

func TestListenerWithoutFunctions(t *testing.T) {
	each(t, emptyListener[telemetry.Overflow], emptyListener[telemetry.Ahead],
		emptyListener[telemetry.ClockStep], emptyListener[telemetry.Expiring], emptyListener[telemetry.ClockOffset], emptyListener[telemetry.Duplicate])
}
