package sequence

import (
	"sync/atomic"
	"time"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/telemetry"
)

// alarms are the distances ahead of the clock that are reported.
var alarms = [...]time.Duration{time.Second, time.Minute, time.Hour}

// announce reports the step that a reading was the first to notice. Like all
// events it comes after the claim, so that a slow subscriber doesn't make the
// reading stale.
func announce(r clock.Reading, c *Caller) {
	if step := r.Step; step.Kind != clock.NoStep {
		telemetry.Emit(c.Listener, telemetry.ClockStep{
			Kind: telemetry.StepKind(step.Kind), By: step.By, From: step.From, To: step.To,
		})
	}
}

// crossings counts the times that b enters.
func (s *Sequence) crossings(b block) uint64 {
	bits := s.space.settings.Layout.Sequence
	return b.last>>bits - (b.first-1)>>bits
}

// overflowed notes the overflow of a claim that was made through the gate.
func (s *Sequence) overflowed(b block, c *Caller, o *overflow) {
	sp := s.space
	r := sp.settings.Clock.Read()
	// Through the gate, the clock was known not to have passed the word.
	old := b.first - 1
	unit := min(uint64(max(sp.settings.Timescale.Units(r.Wall), 0)), old>>sp.settings.Layout.Sequence)
	s.settle(r, unit, old, b, c, o)
	announce(r, c)
}

// overflow adds up the times that one call crossed into.
type overflow struct {
	count          uint64
	unit, lastTime uint64 // of the first
	ahead          time.Duration
}

// report reports the overflow of a call that has its ids, if there was one.
func (s *Sequence) report(o *overflow, c *Caller) {
	if o.count == 0 {
		return
	}
	telemetry.Emit(c.Listener, telemetry.Overflow{
		SequenceID: s.id, Node: s.node, Partition: s.partition,
		Time: o.unit, LastTime: o.lastTime, Count: int(o.count), Ahead: o.ahead,
	})
}

// settle notes what was noteworthy about claim b, made in unit after the word
// old: an overflow in o, what lies far ahead of the clock by an event.
//
// Each word belongs to one claim, and a time is entered with its first word,
// so each overflow is counted once. If the first word was claimed by a call
// that was refused, the next claim that is granted counts it.
func (s *Sequence) settle(r clock.Reading, unit, old uint64, b block, c *Caller, o *overflow) {
	bits := s.space.settings.Layout.Sequence
	if last := b.last >> bits; last > s.lane.peak.Load() {
		raise(&s.lane.peak, last)
	}
	// A passed time doesn't catch up with a sequence, only the clock does.
	if s.alert.Load() > 0 && !s.timeOf(old).After(r.Reference) {
		s.alert.Store(0)
	}
	if b.last>>bits <= unit { // no overflow is owed any more
		clearNonZero(&s.refused)
		return
	}
	// Beginning at a fence's floor is no overflow.
	crossed := b.last>>bits - max((b.first-1)>>bits, unit, s.lane.floor.Load()>>bits)
	crossed += uint64(clearNonZero(&s.refused))
	if crossed > 0 {
		if o.count == 0 {
			o.unit, o.lastTime = unit, old>>bits
		}
		o.count += crossed
		o.ahead = max(s.timeOf(b.last).Sub(r.Reference), 0)
	}
	s.alarm(r, b.last, c)
}

// alarm reports each distance that the sequence is now ahead for the first
// time since the clock had caught up.
func (s *Sequence) alarm(r clock.Reading, word uint64, c *Caller) {
	ahead := s.timeOf(word).Sub(r.Reference)
	for {
		done := s.alert.Load()
		if int(done) == len(alarms) || ahead < alarms[done] {
			return
		}
		if s.alert.CompareAndSwap(done, done+1) {
			telemetry.Emit(c.Listener, telemetry.Ahead{
				SequenceID: s.id, Node: s.node, Partition: s.partition,
				Threshold: alarms[done], Ahead: ahead,
			})
		}
	}
}

// warnOfExpiry reports, once per lane, that the layout's time ends soon.
func (s *Sequence) warnOfExpiry(r clock.Reading, c *Caller) {
	if s.lane.warned.Load() || !s.lane.warned.CompareAndSwap(false, true) {
		return
	}
	telemetry.Emit(c.Listener, telemetry.Expiring{
		SequenceID: s.id, Node: s.node, Partition: s.partition,
		End: s.space.end, Left: max(s.space.end.Sub(r.Wall), 0),
	})
}

// clearNonZero sets cell to 0 and returns what it was. It writes only if it
// has to: the word is on the same cache line.
func clearNonZero(cell *atomic.Uint32) uint32 {
	if cell.Load() == 0 {
		return 0
	}
	return cell.Swap(0)
}
