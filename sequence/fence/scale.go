package fence

import (
	"time"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/sequence"
)

// scale reckons in units of the ids' time.
type scale struct {
	timescale bits.Timescale
	window    uint64
	cap       uint64
	end       uint64 // the first unit that the layout can't express
}

func newScale(l *sequence.Lane, o Options) scale {
	units := func(d time.Duration) uint64 {
		unit := l.Timescale().Unit
		return max(uint64((d+unit-1)/unit), 2)
	}
	s := scale{timescale: l.Timescale(), window: units(o.Window), end: l.Layout().MaxTime() + 1}
	s.cap = max(units(o.Cap), 3*s.window)
	return s
}

// unit is the one that t lies in, 0 before the epoch.
func (s scale) unit(t time.Time) uint64 { return uint64(max(s.timescale.Units(t), 0)) }

func (s scale) time(unit uint64) time.Time { return s.timescale.Time(unit) }

// bound is where the bound belongs when next is the first unit without an id
// and now is the clock's: a window beyond the later of them.
func (s scale) bound(now, next uint64) uint64 {
	return min(max(now, next)+s.window, s.end)
}

// low is the first unit at which bound is to be raised: less than half a window
// is left.
func (s scale) low(bound uint64) uint64 {
	if bound >= s.end {
		return s.end
	}
	return bound - min(bound, s.window/2)
}

// expires is the time of bound, as a record can hold it.
func (s scale) expires(bound uint64) time.Time {
	t := s.time(bound)
	if last := time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC); t.After(last) {
		return last
	}
	return t
}

// start is what a process may do when it finds a bound.
type start uint8

const (
	begin start = iota // at the bound, or at the clock if that is later
	wait               // for the clock
	refuse
)

// start decides between beginning at the bound floor and waiting, at now. To
// begin must leave room below the cap for being a window ahead, and for the
// bound being a window ahead of that.
func (s scale) start(now, floor uint64, o Options) start {
	switch {
	case floor <= now:
		return begin
	case floor-now >= s.cap-2*s.window:
		if o.BeyondCap == WaitBeyondCap {
			return wait
		}
		return refuse
	case o.Start == BeginAtBound, o.Start == WaitOrBegin && floor-now > 2*s.window:
		return begin
	}
	return wait
}
