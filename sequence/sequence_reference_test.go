package sequence_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/telemetry"
)

// reference is the rule of a sequence, written down plainly: one number at a
// time, under a lock, with a look at the clock for each call.
type reference struct {
	mu       sync.Mutex
	settings sequence.Settings
	word     uint64
	reported int // how many distances ahead of the clock were reported
}

// outcome is what a call gave.
type outcome struct {
	ids       []int64
	err       error
	overflows []telemetry.Overflow
	aheads    []telemetry.Ahead
}

// claim makes n ids of the sequence "r", node 1, with the clock at r and now
// for the time of this call.
func (m *reference) claim(r clock.Reading, now time.Time, n int) (out outcome) {
	m.mu.Lock()
	defer m.mu.Unlock()
	layout, scale := m.settings.Layout, m.settings.Timescale
	width := layout.Sequence
	unit := scale.Units(now)
	if unit < 0 && m.word == 0 {
		out.err = &sequence.BeforeEpochError{SequenceID: "r", Time: now, Epoch: scale.Epoch}
		return out
	}
	tried := uint64(max(unit, 0))
	before, crossed := m.word, 0
	for len(out.ids) < n {
		next := max(tried<<width+m.start(tried), m.word+1)
		if tried > layout.MaxTime() || next>>width > layout.MaxTime() {
			out.err = &sequence.TimeExhaustedError{SequenceID: "r", End: scale.End(layout)}
			break
		}
		most := uint64(max(scale.Units(r.Reference), 0)) + uint64(m.settings.MaxAhead/scale.Unit)
		if m.settings.AheadPolicy != sequence.Advance && next>>width > most {
			out.err = &sequence.AheadError{
				SequenceID: "r",
				Ahead:      scale.Time(next >> width).Sub(r.Reference),
				Max:        m.settings.MaxAhead.Truncate(scale.Unit),
			}
			break
		}
		if next>>width > tried && next&layout.MaxSequence() == 0 {
			crossed++
		}
		m.word = next
		id := next>>width<<(width+layout.Node) | 1<<width | next&layout.MaxSequence()
		out.ids = append(out.ids, int64(id))
	}
	if len(out.ids) == 0 {
		return out
	}
	if !scale.Time(before >> width).After(r.Reference) {
		m.reported = 0
	}
	ahead := scale.Time(m.word >> width).Sub(r.Reference)
	if crossed > 0 {
		out.overflows = []telemetry.Overflow{{
			SequenceID: "r", Node: 1, Time: tried, LastTime: before >> width,
			Count: crossed, Ahead: max(ahead, 0),
		}}
	}
	for alarms := []time.Duration{time.Second, time.Minute, time.Hour}; m.reported < 3 && ahead >= alarms[m.reported]; m.reported++ {
		out.aheads = append(out.aheads, telemetry.Ahead{
			SequenceID: "r", Node: 1, Threshold: alarms[m.reported], Ahead: ahead,
		})
	}
	return out
}

// trial holds one sequence against the reference.
type trial struct {
	*fixture
	random *rand.Rand
	seq    *sequence.Sequence
	model  *reference
	log    []string
}

// start is the number that a unit begins at: the finalizer of splitmix64 over
// unit, node and partition.
func (m *reference) start(unit uint64) uint64 {
	if m.settings.Start != sequence.Spread {
		return 0
	}
	layout := m.settings.Layout
	x := unit ^ 1<<layout.Sequence // node 1, partition 0
	for _, round := range []struct {
		shift      int
		multiplier uint64
	}{{30, 0xbf58476d1ce4e5b9}, {27, 0x94d049bb133111eb}, {31, 1}} {
		if round.shift == 30 {
			x += 0x9e3779b97f4a7c15
		}
		x = (x ^ x>>round.shift) * round.multiplier
	}
	return x % min(256, layout.IDsPerUnit()/4)
}

func TestSequenceEqualsReference(t *testing.T) {
	first := seed(t)
	for i := range uint64(2000) {
		random := rand.New(rand.NewPCG(first, i))
		layout := layoutWith(1 + random.IntN(15))
		if random.IntN(4) == 0 { // a layout whose time ends soon: 4 s to an hour and a half
			layout.Time = 12 + random.IntN(11)
			layout.Partition = 41 - layout.Time
		}
		f := newFixture(t, layout, func(s *sequence.Settings) {
			s.AheadPolicy = sequence.AheadPolicy(random.IntN(3))
			s.MaxAhead = time.Duration(random.Int64N(int64(20 * time.Millisecond)))
			if random.IntN(3) == 0 {
				s.MaxAhead = 0
			}
			if layout.Sequence >= 3 && random.IntN(3) == 0 {
				s.Start = sequence.Spread
			}
			s.Timescale.Unit = []time.Duration{time.Millisecond, 333 * time.Microsecond, 10 * time.Millisecond, time.Second}[random.IntN(4)]
		})
		if random.IntN(2) == 0 { // begin around the epoch
			f.clock.Set(epoch.Add(time.Duration(random.IntN(4000)-1000) * time.Millisecond))
		}
		tr := &trial{fixture: f, random: random, seq: f.sequence("r", 1, 0)}
		tr.model = &reference{settings: f.space.Settings()}
		for range 60 {
			if !tr.operation() {
				t.Fatalf("schedule %d, settings %+v: operations\n%q", i, f.space.Settings(), tr.log)
			}
		}
	}
}

// operation moves the clock, or makes ids both ways and compares.
func (tr *trial) operation() bool {
	switch tr.random.IntN(10) {
	case 0, 1, 2:
		d := time.Duration(tr.random.Int64N(int64(4 * time.Millisecond)))
		tr.note("advance %v", d)
		tr.clock.Advance(d)
		return true
	case 3:
		d := []time.Duration{time.Millisecond, time.Second, time.Hour, 10 * 365 * 24 * time.Hour}[tr.random.IntN(4)]
		d = time.Duration(tr.random.Int64N(int64(2*d))) - d
		tr.note("step %v", d)
		tr.step(d)
		return true
	case 4:
		tr.note("advance 11s")
		tr.clock.Advance(11 * time.Second)
		return true
	case 5:
		d := time.Duration(tr.random.Int64N(int64(130*time.Minute))) - 65*time.Minute
		return tr.compareAt(d)
	case 6:
		return tr.compare(1 + tr.random.IntN(1<<tr.random.IntN(15)))
	default:
		for range tr.random.IntN(8) {
			if !tr.compare(0) {
				return false
			}
		}
		return true
	}
}

func (tr *trial) note(format string, args ...any) {
	tr.log = append(tr.log, fmt.Sprintf(format, args...))
}

// compare makes n ids as a batch, or one by Next if n is 0. Under Wait the
// call gives up at once: the clock can't move meanwhile.
func (tr *trial) compare(n int) bool {
	tr.note("batch of %d", n)
	r := tr.clock.Read() // notices steps, before the sequence does
	ctx := ended()
	var got outcome
	if n == 0 {
		var id int64
		if id, got.err = tr.seq.Next(ctx, &tr.caller); got.err == nil {
			got.ids = []int64{id}
		}
		return tr.check(tr.model.claim(r, r.Wall, 1), got)
	}
	got.ids, got.err = sequence.Append[int64](ctx, tr.seq, nil, n, &tr.caller)
	if tooLarge := (*sequence.BatchError)(nil); errors.As(got.err, &tooLarge) {
		return tr.model.settings.AheadPolicy != sequence.Advance && n > tooLarge.Max && len(got.ids) == 0
	}
	return tr.check(tr.model.claim(r, r.Wall, n), got)
}

// compareAt passes the time d from now.
func (tr *trial) compareAt(d time.Duration) bool {
	tr.note("at %v", d)
	r := tr.clock.Read()
	at := r.Wall.Add(d)
	id, err := tr.seq.NextAt(at, &tr.caller)
	got := outcome{err: err}
	if err == nil {
		got.ids = []int64{id}
	}
	settings := &tr.model.settings
	var want outcome
	switch ahead := at.Sub(r.Reference); {
	case at.Before(settings.Timescale.Epoch):
		want.err = &sequence.BeforeEpochError{SequenceID: "r", Time: at, Epoch: settings.Timescale.Epoch}
	case ahead > clock.DefaultMaxStep:
		want.err = &sequence.AheadError{SequenceID: "r", Ahead: ahead, Max: clock.DefaultMaxStep}
	default:
		return tr.check(tr.model.claim(r, at, 1), got)
	}
	return tr.check(want, got)
}

func (tr *trial) check(want, got outcome) bool {
	events := tr.events.take()
	got.overflows, got.aheads = events.overflows, events.aheads
	var ahead *sequence.AheadError
	if errors.As(got.err, &ahead) && ahead.Cause != nil {
		if tr.model.settings.AheadPolicy != sequence.Wait || !errors.Is(ahead, context.Canceled) {
			return false
		}
		ahead.Cause = nil
	}
	if len(got.ids) == 0 {
		got.ids = nil
	}
	ok := reflect.DeepEqual(want, got)
	if !ok {
		tr.t.Errorf("want %+v\ngot  %+v", brief(want), brief(got))
	}
	return ok
}

// brief leaves out the middle of long batches.
func brief(o outcome) outcome {
	if n := len(o.ids); n > 4 {
		o.ids = append(o.ids[:2:2], o.ids[n-2:]...)
	}
	return o
}
