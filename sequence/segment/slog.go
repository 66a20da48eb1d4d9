package segment

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/stampid/go-stamp/telemetry"
)

// NewSlogListener returns a listener that logs events to logger: fetches at
// level Debug, hunger at Info, failed fetches and forgotten marks at Warn, and
// rollbacks at Error. A nil logger is what slog.Default returns at the time of
// the event. It may be used by any number of generators.
//
// Of hunger, failed fetches and forgotten marks one record each is written for
// o.Interval, that of the first event. What is left out is counted, and the next
// record of that kind carries the number as left_out. Fetches and rollbacks are
// all logged: a generator reports a rollback once, and somebody must see to each.
//
// No lock is held while the logger writes.
func NewSlogListener(logger *slog.Logger, o telemetry.SlogOptions) *Listener {
	if o.Interval <= 0 {
		o.Interval = time.Minute
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	l := &slogListener{logger: logger, options: o}
	return &Listener{
		OnFetch:         l.fetched,
		OnFetchFailed:   l.fetchFailed,
		OnHunger:        l.hunger,
		OnRolledBack:    l.rolledBack,
		OnMarkForgotten: l.markForgotten,
	}
}

type slogListener struct {
	logger  *slog.Logger
	options telemetry.SlogOptions

	failures, hungers, forgotten limit
}

func (l *slogListener) fetched(e Fetched) {
	l.log(slog.LevelDebug, "segment: fetched numbers", 0,
		slog.String("counter", e.Counter.String()), slog.Int64("first", e.First), slog.Int64("last", e.Last),
		slog.Duration("took", e.Took))
}

func (l *slogListener) fetchFailed(e FetchFailed) {
	if left, ok := l.admit(&l.failures); ok {
		l.log(slog.LevelWarn, "segment: fetch failed", left,
			slog.String("counter", e.Counter.String()), slog.Int64("n", e.N), slog.Duration("took", e.Took),
			slog.Time("next", e.Next), slog.Any("error", e.Err))
	}
}

func (l *slogListener) hunger(e Hunger) {
	if left, ok := l.admit(&l.hungers); ok {
		l.log(slog.LevelInfo, "segment: callers found no numbers", left,
			slog.String("counter", e.Counter.String()), slog.Int64("distance_before", e.From), slog.Int64("distance", e.To))
	}
}

func (l *slogListener) rolledBack(e RolledBack) {
	l.log(slog.LevelError, "segment: store was rolled back, generator stopped, see docs/segments.md", 0,
		slog.String("counter", e.Counter.String()), slog.Int64("mark", e.Mark), slog.Int64("store", e.Store),
		slog.Bool("missing", e.Missing))
}

func (l *slogListener) markForgotten(e MarkForgotten) {
	if left, ok := l.admit(&l.forgotten); ok {
		l.log(slog.LevelWarn, "segment: forgot the mark of a group", left,
			slog.String("counter", e.Counter.String()), slog.Int64("mark", e.Mark))
	}
}

func (l *slogListener) log(level slog.Level, message string, left uint64, attrs ...slog.Attr) {
	if left > 0 {
		attrs = append(attrs, slog.Uint64("left_out", left))
	}
	logger := l.logger
	if logger == nil {
		logger = slog.Default()
	}
	logger.LogAttrs(context.Background(), level, message, attrs...)
}

func (l *slogListener) admit(of *limit) (left uint64, ok bool) {
	return of.admit(l.options.Now(), l.options.Interval)
}

// limit lets one event of an interval through. The zero value admits the first.
type limit struct {
	mu   sync.Mutex
	last time.Time // zero before the first
	left uint64    // events that were left out since
}

// admit tells whether an event may be logged, and how many before it were not.
// A clock that went back behind the last record doesn't silence the log.
func (l *limit) admit(now time.Time, interval time.Duration) (left uint64, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if since := now.Sub(l.last); !l.last.IsZero() && 0 <= since && since < interval {
		l.left++
		return 0, false
	}
	left = l.left
	l.last, l.left = now, 0
	return left, true
}
