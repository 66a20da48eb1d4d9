package segment_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/telemetry"
)

// recording is a log handler that keeps what it is given.
type recording struct{ bytes.Buffer }

func (r *recording) logger(level slog.Level) *slog.Logger {
	return slog.New(slog.NewJSONHandler(&r.Buffer, &slog.HandlerOptions{Level: level}))
}

// records are those since the last call, without times.
func (r *recording) records(t *testing.T) (all []map[string]any) {
	t.Helper()
	for decoder := json.NewDecoder(&r.Buffer); decoder.More(); {
		var record map[string]any
		require.NoError(t, decoder.Decode(&record))
		delete(record, "time")
		all = append(all, record)
	}
	return all
}

func TestSlogRecordOfEachEvent(t *testing.T) {
	var log recording
	l := segment.NewSlogListener(log.logger(slog.LevelDebug), telemetry.SlogOptions{})
	next := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		event func()
		want  map[string]any
	}{
		{
			func() { l.OnFetch(segment.Fetched{Counter: orders, First: 11, Last: 20, Took: time.Second}) },
			map[string]any{
				"level": "DEBUG", "msg": "segment: fetched numbers", "counter": "shop.orders", "first": 11.0, "last": 20.0, "took": 1e9,
			},
		},
		{
			func() {
				l.OnFetchFailed(segment.FetchFailed{Counter: orders, N: 10, Took: time.Second, Next: next, Err: errors.New("down")})
			},
			map[string]any{
				"level": "WARN", "msg": "segment: fetch failed", "counter": "shop.orders", "n": 10.0, "took": 1e9,
				"next": "2026-01-01T00:00:00Z", "error": "down",
			},
		},
		{
			func() { l.OnHunger(segment.Hunger{Counter: orders, From: 2, To: 4}) },
			map[string]any{
				"level": "INFO", "msg": "segment: callers found no numbers", "counter": "shop.orders",
				"distance_before": 2.0, "distance": 4.0,
			},
		},
		{
			func() { l.OnRolledBack(segment.RolledBack{Counter: orders, Mark: 100, Store: 5}) },
			map[string]any{
				"level": "ERROR", "msg": "segment: store was rolled back, generator stopped, see docs/segments.md",
				"counter": "shop.orders", "mark": 100.0, "store": 5.0, "missing": false,
			},
		},
		{
			func() { l.OnMarkForgotten(segment.MarkForgotten{Counter: orders, Mark: 100}) },
			map[string]any{
				"level": "WARN", "msg": "segment: forgot the mark of a group", "counter": "shop.orders", "mark": 100.0,
			},
		},
	} {
		tt.event()
		require.Equal(t, []map[string]any{tt.want}, log.records(t))
	}
}

// Fetches and rollbacks are all logged, of the others one in an interval.
func TestSlogLimits(t *testing.T) {
	var log recording
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	l := segment.NewSlogListener(log.logger(slog.LevelDebug), telemetry.SlogOptions{
		Interval: time.Minute, Now: func() time.Time { return now },
	})
	for name, tt := range map[string]struct {
		event   func()
		limited bool
	}{
		"fetch":     {func() { l.OnFetch(segment.Fetched{}) }, false},
		"failure":   {func() { l.OnFetchFailed(segment.FetchFailed{}) }, true},
		"hunger":    {func() { l.OnHunger(segment.Hunger{}) }, true},
		"rollback":  {func() { l.OnRolledBack(segment.RolledBack{}) }, false},
		"forgotten": {func() { l.OnMarkForgotten(segment.MarkForgotten{}) }, true},
	} {
		for range 10 {
			tt.event()
		}
		now = now.Add(time.Minute - 1)
		tt.event()
		if !tt.limited {
			require.Len(t, log.records(t), 11, name)
			continue
		}
		require.Len(t, log.records(t), 1, name)
		now = now.Add(1)
		tt.event()
		require.EqualValues(t, 10, log.records(t)[0]["left_out"], name)
		now = now.Add(-time.Hour) // the clock went back
		tt.event()
		require.NotContains(t, log.records(t)[0], "left_out", name)
	}
}

// A generator's life as the log tells it, at the default level.
func TestSlogListenerOfAGenerator(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log recording
		f := newFake()
		g := newGenerator(t, f, segment.Options{
			Mode: segment.Chain, Step: 10, Listener: segment.NewSlogListener(log.logger(slog.LevelInfo), telemetry.SlogOptions{}),
		})
		require.NoError(t, g.Warm(background))
		synctest.Wait()
		require.Empty(t, log.records(t), "fetches are for those who debug")
		f.set(func(f *fake) { f.err = errDown })
		drain(t, g)
		_, err := g.Next(background)
		require.Error(t, err)
		synctest.Wait()
		levels := map[any]int{}
		for _, record := range log.records(t) {
			require.Equal(t, "shop.orders", record["counter"])
			levels[record["level"]]++
		}
		require.Equal(t, map[any]int{"WARN": 1, "INFO": 1}, levels)

		f.set(func(f *fake) { f.err = nil })
		f.Restore(store.Contents{})
		time.Sleep(time.Minute)
		_, err = g.Next(background)
		require.ErrorIs(t, err, segment.ErrRolledBack)
		synctest.Wait()
		written := log.records(t)
		require.Equal(t, "ERROR", written[len(written)-1]["level"])
		for range 100 {
			_, _ = g.Next(background)
		}
		require.Empty(t, log.records(t), "once")
	})
}

func TestSlogDefaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log recording
		l := segment.NewSlogListener(nil, telemetry.SlogOptions{Interval: -time.Hour})
		before := slog.Default()
		slog.SetDefault(log.logger(slog.LevelInfo)) // after: a nil logger is looked up for each record
		defer slog.SetDefault(before)
		l.OnHunger(segment.Hunger{})
		time.Sleep(time.Minute - 1)
		l.OnHunger(segment.Hunger{})
		require.Len(t, log.records(t), 1)
		time.Sleep(time.Nanosecond)
		l.OnHunger(segment.Hunger{})
		require.Len(t, log.records(t), 1)
		require.False(t, slog.Default().Enabled(context.Background(), slog.LevelDebug))
	})
}
