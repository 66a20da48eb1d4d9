package telemetry

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// SlogOptions are the options of [NewSlogListener]. The zero value is the
// default.
type SlogOptions struct {
	// Interval is the least time between two records for one kind of event.
	// Zero or less: one minute.
	Interval time.Duration
	// Now reads the clock that measures Interval. It is called from many
	// goroutines at once. Nil: time.Now.
	Now func() time.Time
}

// NewSlogListener returns a listener that logs events to logger at a limited
// rate: duplicates at level Error, the others at level Warn. A nil logger is what
// slog.Default returns at the time of the event.
//
// Of each kind of event one record is written for an interval, that of the
// first event; each kind of clock step is limited by itself, and so are clock
// offsets beyond their Max, failures to measure, and the duplicates of each of
// the first 64 sequences that have any. An offset within Max is not logged, nor
// is a fence that was renewed. What is left out is counted, and the next record of that kind carries
// it: left_out is the number of events, left_out_ahead the largest Ahead among
// them, left_out_by the largest step and left_out_offset the largest offset,
// either way. What was left out after the last record stays unsaid until there
// is another. An [Ahead] event with a larger
// Threshold than the last one logged doesn't wait for the interval.
//
// Memory doesn't grow with the number of events or sequences. No lock is held
// while the logger writes.
func NewSlogListener(logger *slog.Logger, o SlogOptions) *Listener {
	if o.Interval <= 0 {
		o.Interval = time.Minute
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	l := &slogListener{logger: logger, options: o}
	return &Listener{
		OnOverflow:    l.overflow,
		OnAhead:       l.ahead,
		OnClockStep:   l.clockStep,
		OnExpiring:    l.expiring,
		OnClockOffset: l.clockOffset,
		OnDuplicate:   l.duplicate,
		OnFenceFailed: l.fenceFailed,
		OnFenceLost:   l.fenceLost,
		OnFenceBehind: l.fenceBehind,
	}
}

type slogListener struct {
	logger  *slog.Logger
	options SlogOptions

	overflows  rate
	aheads     rate
	steps      [numStepKinds + 1]rate // by StepKind; unknown kinds share the first
	expiries   rate
	offsets    rate // beyond their Max
	unmeasured rate
	duplicates duplicateRates

	fenceFailures rate
	fencesLost    rate
	fencesBehind  rate
}

func (l *slogListener) overflow(e Overflow) {
	left, ok := l.admit(&l.overflows, 0, e.Ahead)
	if !ok {
		return
	}
	l.log(slog.LevelWarn, "stamp: sequence overflowed into a later time", left, "left_out_ahead",
		slog.String("sequence", e.SequenceID), slog.Uint64("node", e.Node), slog.Uint64("partition", e.Partition),
		slog.Uint64("tried_time", e.Time), slog.Uint64("last_time", e.LastTime), slog.Int("count", e.Count),
		slog.Duration("ahead", e.Ahead))
}

func (l *slogListener) ahead(e Ahead) {
	left, ok := l.admit(&l.aheads, e.Threshold, e.Ahead)
	if !ok {
		return
	}
	l.log(slog.LevelWarn, "stamp: sequence is ahead of the clock", left, "left_out_ahead",
		slog.String("sequence", e.SequenceID), slog.Uint64("node", e.Node), slog.Uint64("partition", e.Partition),
		slog.Duration("threshold", e.Threshold), slog.Duration("ahead", e.Ahead))
}

func (l *slogListener) clockStep(e ClockStep) {
	limit := &l.steps[0]
	if int(e.Kind) < len(l.steps) {
		limit = &l.steps[e.Kind]
	}
	left, ok := l.admit(limit, 0, max(e.By, -e.By))
	if !ok {
		return
	}
	l.log(slog.LevelWarn, "stamp: clock stepped", left, "left_out_by",
		slog.String("kind", e.Kind.String()), slog.Duration("by", e.By),
		slog.Time("from", e.From), slog.Time("to", e.To))
}

func (l *slogListener) expiring(e Expiring) {
	left, ok := l.admit(&l.expiries, 0, 0)
	if !ok {
		return
	}
	l.log(slog.LevelWarn, "stamp: the time of the layout is coming to its end", left, "",
		slog.String("sequence", e.SequenceID), slog.Uint64("node", e.Node), slog.Uint64("partition", e.Partition),
		slog.Time("end", e.End), slog.Duration("left", e.Left))
}

func (l *slogListener) clockOffset(e ClockOffset) {
	switch {
	case e.Err != nil:
		if left, ok := l.admit(&l.unmeasured, 0, 0); ok {
			l.log(slog.LevelWarn, "stamp: clock offset not measured", left, "",
				slog.String("server", e.Server), slog.Any("error", e.Err))
		}
	case e.Exceeded:
		if left, ok := l.admit(&l.offsets, 0, max(e.Offset, -e.Offset)); ok {
			l.log(slog.LevelWarn, "stamp: system clock is off", left, "left_out_offset",
				slog.String("server", e.Server), slog.Duration("offset", e.Offset), slog.Duration("bound", e.Bound),
				slog.Duration("round_trip", e.RoundTrip), slog.Duration("max", e.Max))
		}
	}
}

func (l *slogListener) duplicate(e Duplicate) {
	if left, ok := l.admit(l.duplicates.of(e.SequenceID), 0, 0); ok {
		l.log(slog.LevelError, "stamp: duplicate id, see docs/duplicate-key.md", left, "",
			slog.String("sequence", e.SequenceID), slog.Int64("id", e.ID), slog.Any("error", e.Err))
	}
}

func (l *slogListener) admit(r *rate, urgency, size time.Duration) (leftOut, bool) {
	return r.admit(l.options.Now(), l.options.Interval, urgency, size)
}

// log writes a record. worst is the name of what left.worst is, empty if the
// kind has no such figure.
func (l *slogListener) log(level slog.Level, message string, left leftOut, worst string, attrs ...slog.Attr) {
	if left.count > 0 {
		attrs = append(attrs, slog.Uint64("left_out", left.count))
		if worst != "" {
			attrs = append(attrs, slog.Duration(worst, left.worst))
		}
	}
	logger := l.logger
	if logger == nil {
		logger = slog.Default()
	}
	logger.LogAttrs(context.Background(), level, message, attrs...)
}

// leftOut is what a limit has kept back since the last record.
type leftOut struct {
	count uint64
	worst time.Duration
}

// rate limits the records of one kind of event. The zero value admits the
// first event.
type rate struct {
	mu      sync.Mutex
	used    bool // last and urgency are those of an admitted event
	last    time.Time
	urgency time.Duration
	left    leftOut
}

// admit tells whether an event may be logged, and what was left out before it.
// It may if an interval has passed since the last one that was, if it is more
// urgent than that one, or if the clock went back behind it: otherwise a clock
// set back by a day would silence the log for a day.
func (r *rate) admit(now time.Time, interval, urgency, size time.Duration) (leftOut, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	since := now.Sub(r.last)
	if r.used && 0 <= since && since < interval && urgency <= r.urgency {
		r.left.count++
		r.left.worst = max(r.left.worst, size)
		return leftOut{}, false
	}
	left := r.left
	r.used, r.last, r.urgency, r.left = true, now, urgency, leftOut{}
	return left, true
}

// So many sequences have a limit of their own for their duplicates.
const mostDuplicateRates = 64

// duplicateRates are limits by sequence, so that the duplicates of one don't
// hide that another has them too. The zero value is empty.
type duplicateRates struct {
	mu     sync.Mutex
	bySeq  map[string]*rate
	others rate
}

func (d *duplicateRates) of(sequence string) *rate {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r := d.bySeq[sequence]; r != nil {
		return r
	}
	if len(d.bySeq) == mostDuplicateRates {
		return &d.others
	}
	if d.bySeq == nil {
		d.bySeq = map[string]*rate{}
	}
	r := new(rate)
	d.bySeq[sequence] = r
	return r
}
