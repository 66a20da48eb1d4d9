package telemetry_test

import (
	"bytes"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/telemetry"
)

// eachOfFences runs a test for each kind of event that fences have.
func eachOfFences(t *testing.T,
	renewed func(*testing.T, telemetry.FenceRenewed),
	failed func(*testing.T, telemetry.FenceFailed),
	lost func(*testing.T, telemetry.FenceLost),
	behind func(*testing.T, telemetry.FenceBehind),
) {
	t.Helper()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	t.Run("fence renewed", func(t *testing.T) {
		renewed(t, telemetry.FenceRenewed{
			Space: "shop", Node: 3, Acquired: true, Floor: now, Bound: now.Add(time.Second), Took: time.Millisecond,
		})
	})
	t.Run("fence failed", func(t *testing.T) {
		failed(t, telemetry.FenceFailed{Space: "shop", Node: 3, Left: time.Second, Err: errors.New("refused")})
	})
	t.Run("fence lost", func(t *testing.T) {
		lost(t, telemetry.FenceLost{Space: "shop", Node: 3, Owner: "host/1", Bound: now, Err: errors.New("lost")})
	})
	t.Run("fence behind", func(t *testing.T) {
		behind(t, telemetry.FenceBehind{
			Space: "shop", Node: 3, Floor: now.Add(time.Minute), Clock: now, By: time.Minute, Begins: true,
		})
	})
}

func TestFenceEventsAreDelivered(t *testing.T) {
	eachOfFences(t, listened[telemetry.FenceRenewed], listened[telemetry.FenceFailed],
		listened[telemetry.FenceLost], listened[telemetry.FenceBehind])
	eachOfFences(t, listenedProcessWide[telemetry.FenceRenewed], listenedProcessWide[telemetry.FenceFailed],
		listenedProcessWide[telemetry.FenceLost], listenedProcessWide[telemetry.FenceBehind])
	eachOfFences(t, emptyListener[telemetry.FenceRenewed], emptyListener[telemetry.FenceFailed],
		emptyListener[telemetry.FenceLost], emptyListener[telemetry.FenceBehind])
}

func TestSlogRecordOfFenceEvents(t *testing.T) {
	eachOfFences(t,
		unlogged[telemetry.FenceRenewed],
		logged[telemetry.FenceFailed](map[string]any{
			"msg": "stamp: fence not renewed", "space": "shop", "node": 3.0, "left": 1e9, "error": "refused",
		}),
		logged[telemetry.FenceLost](map[string]any{
			"level": "ERROR", "msg": "stamp: fence lost", "space": "shop", "node": 3.0, "owner": "host/1",
			"bound": "2026-03-01T12:00:00Z", "error": "lost",
		}),
		logged[telemetry.FenceBehind](map[string]any{
			"msg": "stamp: clock is behind the fence", "space": "shop", "node": 3.0,
			"floor": "2026-03-01T12:01:00Z", "clock": "2026-03-01T12:00:00Z", "by": 60e9, "begins": true,
		}))
}

func unlogged[E telemetry.Event](t *testing.T, event E) {
	t.Helper()
	var log bytes.Buffer
	telemetry.Emit(telemetry.NewSlogListener(slog.New(slog.NewJSONHandler(&log, nil)), telemetry.SlogOptions{}), event)
	require.Empty(t, log.String())
}
