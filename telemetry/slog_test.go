package telemetry_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/telemetry"
)

// records returns what a JSON handler has written, without times, and without
// the level WARN.
func records(t *testing.T, log *bytes.Buffer) []map[string]any {
	t.Helper()
	var all []map[string]any
	for decoder := json.NewDecoder(log); decoder.More(); {
		var record map[string]any
		require.NoError(t, decoder.Decode(&record))
		delete(record, "time")
		if record["level"] == "WARN" {
			delete(record, "level")
		}
		all = append(all, record)
	}
	return all
}

func logged[E telemetry.Event](want map[string]any) func(*testing.T, E) {
	return func(t *testing.T, event E) {
		t.Helper()
		var log bytes.Buffer
		l := telemetry.NewSlogListener(slog.New(slog.NewJSONHandler(&log, nil)), telemetry.SlogOptions{})
		telemetry.Emit(l, event)
		require.Equal(t, []map[string]any{want}, records(t, &log))
	}
}

func TestSlogRecordOfEachKind(t *testing.T) {
	each(t,
		logged[telemetry.Overflow](map[string]any{
			"msg": "stamp: sequence overflowed into a later time", "sequence": "orders", "node": 3.0, "partition": 5.0,
			"tried_time": 10.0, "last_time": 12.0, "count": 1.0, "ahead": 1e9,
		}),
		logged[telemetry.Ahead](map[string]any{
			"msg": "stamp: sequence is ahead of the clock", "sequence": "orders", "node": 3.0, "partition": 5.0,
			"threshold": 1e9, "ahead": 2e9,
		}),
		logged[telemetry.ClockStep](map[string]any{
			"msg": "stamp: clock stepped", "kind": "back", "by": -3600e9,
			"from": "2026-03-01T12:00:00Z", "to": "2026-03-01T11:00:00Z",
		}),
		logged[telemetry.Expiring](map[string]any{
			"msg": "stamp: the time of the layout is coming to its end", "sequence": "orders", "node": 3.0, "partition": 5.0,
			"end": "2026-03-01T12:00:00Z", "left": 3600e9,
		}),
		logged[telemetry.ClockOffset](map[string]any{
			"msg": "stamp: system clock is off", "server": "a.example", "offset": -60e9, "bound": 1e6,
			"round_trip": 2e6, "max": 1e9,
		}),
		logged[telemetry.Duplicate](map[string]any{
			"level": "ERROR", "msg": "stamp: duplicate id, see docs/duplicate-key.md", "sequence": "orders",
			"id": float64(1 << 53), "error": "duplicate key",
		}))
}

func TestSlogRecordOfAFailureToMeasure(t *testing.T) {
	logged[telemetry.ClockOffset](map[string]any{
		"msg": "stamp: clock offset not measured", "server": "a.example", "error": "no reply",
	})(t, telemetry.ClockOffset{Server: "a.example", Max: time.Second, Err: errors.New("no reply")})
}

// Each row is an event at a time; want is what its record carries beside the
// event, nil for no record.
func TestSlogRate(t *testing.T) {
	type extra = map[string]any
	overflow := func(ahead time.Duration) any { return telemetry.Overflow{Ahead: ahead} }
	ahead := func(threshold, ahead time.Duration) any {
		return telemetry.Ahead{Threshold: threshold, Ahead: ahead}
	}
	step := func(kind telemetry.StepKind, by time.Duration) any { return telemetry.ClockStep{Kind: kind, By: by} }
	off := func(by time.Duration) any { return telemetry.ClockOffset{Offset: by, Exceeded: true} }
	duplicate := func(sequence int, id int64) any {
		return telemetry.Duplicate{SequenceID: fmt.Sprint(sequence), ID: id, Err: errTaken}
	}
	const s, m, h = time.Second, time.Minute, time.Hour
	type row struct {
		at    time.Duration
		event any
		want  extra
	}
	tables := map[string][]row{
		"the next record says how many were left out": {
			{0, overflow(0), extra{}},
			{1 * s, overflow(3 * s), nil},
			{59 * s, overflow(2 * s), nil},
			{60 * s, overflow(1 * s), extra{"left_out": 2.0, "left_out_ahead": 3e9}},
			{61 * s, overflow(0), nil},
			{120 * s, overflow(9 * s), extra{"left_out": 1.0, "left_out_ahead": 0.0}},
			{180 * s, overflow(0), extra{}},
		},
		"kinds don't share a limit": {
			{0, overflow(0), extra{}},
			{0, ahead(s, s), extra{}},
			{0, step(telemetry.StepBack, -s), extra{}},
			{0, telemetry.Expiring{}, extra{}},
			{0, telemetry.Expiring{}, nil},
			{m, telemetry.Expiring{}, extra{"left_out": 1.0}},
		},
		"a higher threshold doesn't wait": {
			{0, ahead(s, s), extra{}},
			{1 * s, ahead(s, 2*s), nil},
			{2 * s, ahead(m, m), extra{"left_out": 1.0, "left_out_ahead": 2e9}},
			{3 * s, ahead(s, s), nil},
			{4 * s, ahead(h, h), extra{"left_out": 1.0, "left_out_ahead": 1e9}},
			{64 * s, ahead(s, s), extra{}},
			{65 * s, ahead(m, m), extra{}},
		},
		"kinds of steps don't share a limit": {
			{0, step(telemetry.StepBack, -s), extra{}},
			{0, step(telemetry.StepHeld, 2*h), extra{}},
			{10 * s, step(telemetry.StepFollowed, 2*h), extra{}},
			{11 * s, step(telemetry.StepBack, -5*s), nil},
			{12 * s, step(telemetry.StepBack, -4*s), nil},
			{60 * s, step(telemetry.StepBack, -s), extra{"left_out": 2.0, "left_out_by": 5e9}},
			{60 * s, step(0, s), extra{}},
			{60 * s, step(200, s), nil},
		},
		"offsets beyond the limit and failures don't share a limit": {
			{0, telemetry.ClockOffset{Offset: s}, nil},
			{0, off(2 * s), extra{}},
			{0, telemetry.ClockOffset{Err: errors.New("no reply")}, extra{"error": "no reply"}},
			{1 * s, off(-5 * s), nil},
			{2 * s, telemetry.ClockOffset{Err: errors.New("no reply")}, nil},
			{3 * s, telemetry.ClockOffset{Offset: 9 * s}, nil},
			{60 * s, off(s), extra{"left_out": 1.0, "left_out_offset": 5e9}},
			{60 * s, telemetry.ClockOffset{Err: errors.New("no route")}, extra{"error": "no route", "left_out": 1.0}},
		},
		"the duplicates of one sequence don't hide those of another": {
			{0, duplicate(1, 7), extra{"id": 7.0}},
			{0, duplicate(1, 8), nil},
			{1 * s, duplicate(2, 7), extra{"id": 7.0}},
			{2 * s, duplicate(2, 9), nil},
			{60 * s, duplicate(1, 9), extra{"id": 9.0, "left_out": 1.0}},
			{60 * s, duplicate(2, 9), nil},
			{61 * s, duplicate(2, 9), extra{"id": 9.0, "left_out": 2.0}},
		},
		"a clock that goes back doesn't silence": {
			{0, overflow(0), extra{}},
			{s, overflow(0), nil},
			{-h, overflow(0), extra{"left_out": 1.0, "left_out_ahead": 0.0}},
			{-h + s, overflow(0), nil},
		},
	}
	own := map[string]bool{
		"msg": true, "sequence": true, "node": true, "partition": true, "tried_time": true, "last_time": true, "count": true,
		"ahead": true, "threshold": true, "kind": true, "by": true, "from": true, "to": true, "end": true, "left": true,
		"server": true, "offset": true, "bound": true, "round_trip": true, "max": true,
	}
	for name, rows := range tables {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
			now := start
			l := telemetry.NewSlogListener(slog.New(slog.NewJSONHandler(&log, nil)),
				telemetry.SlogOptions{Interval: m, Now: func() time.Time { return now }})
			for i, r := range rows {
				now = start.Add(r.at)
				switch e := r.event.(type) {
				case telemetry.Overflow:
					telemetry.Emit(l, e)
				case telemetry.Ahead:
					telemetry.Emit(l, e)
				case telemetry.ClockStep:
					telemetry.Emit(l, e)
				case telemetry.Expiring:
					telemetry.Emit(l, e)
				case telemetry.ClockOffset:
					telemetry.Emit(l, e)
				case telemetry.Duplicate:
					telemetry.Emit(l, e)
					r.want = withErrorLevel(r.want)
				}
				written := records(t, &log)
				if r.want == nil {
					require.Empty(t, written, "row %d", i)
					continue
				}
				require.Len(t, written, 1, "row %d", i)
				for key := range own {
					delete(written[0], key)
				}
				require.Equal(t, r.want, written[0], "row %d", i)
			}
		})
	}
}

func withErrorLevel(record map[string]any) map[string]any {
	if record != nil {
		record["level"], record["error"] = "ERROR", errTaken.Error()
	}
	return record
}

// However many sequences have duplicates, only so many have a limit of their own.
func TestSlogDuplicatesOfManySequences(t *testing.T) {
	var log bytes.Buffer
	l := telemetry.NewSlogListener(slog.New(slog.NewJSONHandler(&log, nil)), telemetry.SlogOptions{Interval: time.Hour})
	for range 3 {
		for i := range 1000 {
			telemetry.Emit(l, telemetry.Duplicate{SequenceID: fmt.Sprint(i), ID: 1})
		}
	}
	require.Len(t, records(t, &log), 64+1)
}

func TestSlogDefaults(t *testing.T) {
	for _, interval := range []time.Duration{0, -time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			l := telemetry.NewSlogListener(nil, telemetry.SlogOptions{Interval: interval})
			logTo(t, slog.NewJSONHandler(&log, nil)) // after: a nil logger is looked up for each record
			telemetry.Emit(l, telemetry.Overflow{})
			time.Sleep(time.Minute - time.Nanosecond)
			telemetry.Emit(l, telemetry.Overflow{})
			require.Len(t, records(t, &log), 1)
			time.Sleep(time.Nanosecond)
			telemetry.Emit(l, telemetry.Overflow{})
			require.Len(t, records(t, &log), 1)
		})
	}
}

// What is logged and what is said to be left out add up to all events.
func TestSlogCountsExactly(t *testing.T) {
	const goroutines, events, interval = 8, 500, 100
	var log bytes.Buffer
	var ticks atomic.Int64
	l := telemetry.NewSlogListener(slog.New(slog.NewJSONHandler(&log, nil)), telemetry.SlogOptions{
		Interval: interval, Now: func() time.Time { return time.Unix(0, ticks.Load()) },
	})
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for range events {
				ticks.Add(1)
				telemetry.Emit(l, telemetry.Overflow{})
			}
		})
	}
	wg.Wait()
	ticks.Add(interval)
	telemetry.Emit(l, telemetry.Overflow{})

	total := 0
	for _, record := range records(t, &log) {
		total++
		if left, ok := record["left_out"].(float64); ok {
			total += int(left)
		}
	}
	require.Equal(t, goroutines*events+1, total)
}

// A log handler that waits keeps nobody from counting: no lock is held while
// it writes.
func TestSlogHoldsNoLockWhileWriting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		logger := slog.New(handlerFunc(func() { time.Sleep(time.Hour) }))
		l := telemetry.NewSlogListener(logger, telemetry.SlogOptions{})
		start := time.Now()
		var wg sync.WaitGroup
		wg.Go(func() { telemetry.Emit(l, telemetry.Overflow{}) })
		time.Sleep(time.Second)
		telemetry.Emit(l, telemetry.Overflow{})
		require.Equal(t, time.Second, time.Since(start))
		wg.Wait()
	})
}
