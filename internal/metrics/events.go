package metrics

import (
	"strings"
	"sync"

	"github.com/stampid/go-stamp/telemetry"
)

// The most series of a family of events that aren't of sequence ids in use.
const maxSeries = 64

// events counts events. Its listener takes a lock for a moment, after the id is
// claimed; overflows are the most frequent, once for a unit of time.
type events struct {
	listener telemetry.Listener
	max      int // sequence ids

	mu       sync.Mutex
	counts   map[*Family]map[string]*count
	measured bool
	offset   float64
}

type count struct {
	labels []string
	n      float64
}

// listen sets the listener's functions.
func (e *events) listen() {
	e.counts = map[*Family]map[string]*count{}
	e.listener.OnOverflow = func(o telemetry.Overflow) { e.add(Overflows, float64(o.Count), e.max, o.SequenceID) }
	e.listener.OnAhead = func(a telemetry.Ahead) {
		e.add(AheadPassed, 1, e.max*3, a.SequenceID, a.Threshold.String())
	}
	e.listener.OnDuplicate = func(d telemetry.Duplicate) { e.add(Duplicates, 1, e.max, d.SequenceID) }
	e.listener.OnClockStep = func(s telemetry.ClockStep) { e.add(ClockSteps, 1, maxSeries, s.Kind.String()) }
	e.listener.OnClockOffset = e.clockOffset
	e.listener.OnFenceRenewed = func(f telemetry.FenceRenewed) { e.add(FenceRenewals, 1, maxSeries, f.Space) }
	e.listener.OnFenceFailed = func(f telemetry.FenceFailed) { e.add(FenceFailures, 1, maxSeries, f.Space) }
	e.listener.OnFenceLost = func(f telemetry.FenceLost) { e.add(FencesLost, 1, maxSeries, f.Space) }
	e.listener.OnFenceBehind = func(f telemetry.FenceBehind) { e.add(FencesBehind, 1, maxSeries, f.Space) }
}

// add counts n more. The first label becomes Other in the series beyond most.
func (e *events) add(f *Family, n float64, most int, labels ...string) {
	for i, label := range labels {
		labels[i] = valid(label)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	all := e.counts[f]
	if all == nil {
		all = map[string]*count{}
		e.counts[f] = all
	}
	c := all[key(labels)]
	if c == nil && len(all) >= most {
		labels[0] = Other
		c = all[key(labels)]
	}
	if c == nil {
		c = &count{labels: labels}
		all[key(labels)] = c
	}
	c.n += n
}

// key tells labels apart: only the first is a name of the user's, which may hold
// anything.
func key(labels []string) string { return strings.Join(labels, "\x00") }

// begin has counters of a sequence id begin at 0, so that the first event is
// seen as an increase.
func (e *events) begin(id string) {
	e.add(Overflows, 0, e.max, id)
	e.add(Duplicates, 0, e.max, id)
}

// beginFence does the same for those of a space.
func (e *events) beginFence(space string) {
	for _, f := range []*Family{FenceRenewals, FenceFailures, FencesLost, FencesBehind} {
		e.add(f, 0, maxSeries, space)
	}
}

func (e *events) clockOffset(o telemetry.ClockOffset) {
	if o.Err != nil {
		e.add(ClockFailures, 1, maxSeries)
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.measured, e.offset = true, o.Offset.Seconds()
}

// forget ends the series of a sequence id that was dropped, but not that of its
// duplicates if it has any.
func (e *events) forget(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, f := range []*Family{Overflows, AheadPassed, Duplicates} {
		for k, c := range e.counts[f] {
			if c.labels[0] == id && (f != Duplicates || c.n == 0) {
				delete(e.counts[f], k)
			}
		}
	}
}

// collect tells what was counted. The lock isn't held while it does.
func (e *events) collect(value emitter) {
	type counted struct {
		family *Family
		count
	}
	var list []counted
	e.mu.Lock()
	for f, all := range e.counts {
		for _, c := range all {
			list = append(list, counted{f, *c})
		}
	}
	measured, offset := e.measured, e.offset
	e.mu.Unlock()
	for _, c := range list {
		value(c.family, c.n, c.labels...)
	}
	if measured {
		value(ClockOffset, offset)
	}
}
