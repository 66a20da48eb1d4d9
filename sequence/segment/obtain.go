package segment

import (
	"time"

	"github.com/stampid/go-stamp/clock"
)

// obtain answers a segment that has numbers for a call, or the fetch to wait
// for, which it starts if there is none.
func (g *Generator) obtain(name string) (*segment, *flight, error) {
	r, now := g.read(), time.Now()
	g.mu.Lock()
	defer g.unlock()
	if g.stopped != nil {
		return nil, nil, g.stopped
	}
	g.enter(r, name)
	g.shed(r.Monotonic)
	for {
		if s := g.current.Load(); s.left() > 0 {
			g.renew(s, r)
			g.plan(now)
			g.lookAhead(r, now)
			return s, nil, nil
		}
		if !g.advance(now) {
			break
		}
	}
	g.starve()
	f := g.flight
	if f == nil {
		if g.backoff.holds(g.group, now) {
			return nil, nil, &BackoffError{Next: g.backoff.next, Err: g.backoff.err}
		}
		if err := g.start(g.group, g.missing(), now); err != nil {
			return nil, nil, err
		}
		f = g.flight
	}
	f.waiters++
	return nil, f, nil
}

// enter makes the group of a call the active one.
func (g *Generator) enter(r clock.Reading, name string) {
	switch {
	case g.options.Group.Func != nil:
		if g.group.name != name {
			g.switchTo(&group{name: name})
		}
	case g.calendar != nil:
		// Going by the first day, and not by the name, keeps a clock that went
		// back in the group that it had reached.
		if g.group.name != "" && r.Wall.Before(g.group.end) {
			return
		}
		switch next := g.calendar.at(r.Wall); {
		case g.group.name == "" || next.day > g.group.day:
			g.switchTo(next)
		case next.day == g.group.day: // the zone went back over midnight meanwhile
			g.group = next
		}
	}
}

// switchTo drops what is left of the old group.
func (g *Generator) switchTo(next *group) {
	g.drop(&g.meter.wastedGroup, func(*segment) bool { return true })
	g.group = next
	g.current.Store(empty(next))
	if g.calendar == nil {
		return
	}
	g.jitter = early(g.options.TTL)
	if s := g.ahead; s != nil {
		g.ahead = nil
		if s.group.day == next.day {
			g.reserve = append(g.reserve, s)
		} else {
			g.meter.wastedGroup += s.size
		}
	}
	g.marks.keep(next.name) // the others don't return
}

// shed drops the segments that have expired.
func (g *Generator) shed(now time.Duration) {
	if g.options.TTL > 0 {
		g.drop(&g.meter.wastedTTL, func(s *segment) bool { return now >= s.expires })
	}
}

// shedNow is shed for those who have no reading.
func (g *Generator) shedNow() {
	if g.options.TTL > 0 {
		g.shed(g.options.Clock.Monotonic())
	}
}

// drop takes out the segments that are spoiled, and adds what was left of them
// to wasted. In place of current comes one without numbers.
func (g *Generator) drop(wasted *uint64, spoiled func(*segment) bool) {
	if s := g.current.Load(); s.size > 0 && spoiled(s) {
		g.discard(s, wasted)
		g.current.Store(empty(g.group))
	}
	kept := g.reserve[:0]
	for _, s := range g.reserve {
		if spoiled(s) {
			g.discard(s, wasted)
		} else {
			kept = append(kept, s)
		}
	}
	clear(g.reserve[len(kept):])
	g.reserve = kept
}

// discard counts a segment that is dropped. That of a group by function stays
// open for the calls that have waited for it, see direct.
func (g *Generator) discard(s *segment, wasted *uint64) {
	if g.options.Group.Func != nil && g.stopped == nil {
		claimed := s.claimed() // once, since calls may be claiming
		g.meter.used += claimed
		*wasted += s.size - claimed
		return
	}
	claimed, lost := s.close()
	g.meter.used += claimed
	*wasted += lost
}

// advance makes the next segment of the reserve the current one.
func (g *Generator) advance(now time.Time) bool {
	if len(g.reserve) == 0 {
		return false
	}
	g.meter.used += g.current.Load().claimed()
	next := g.reserve[0]
	g.reserve[0] = nil
	g.reserve = g.reserve[1:]
	g.current.Store(next)
	g.sample(now)
	return true
}

// renew says until when s may be given out without a look at the clock.
func (g *Generator) renew(s *segment, r clock.Reading) {
	if !g.timed {
		return
	}
	until := s.expires
	if g.calendar != nil {
		until = min(until, r.Monotonic+min(trust, g.group.end.Sub(r.Wall)))
	}
	s.until.Store(int64(until))
}
