package segment

import "time"

// period is how long less than half of the prefetch distance must suffice for
// it to be halved.
const period = time.Second

// distance is the prefetch distance of a chain, in segments.
type distance struct {
	now    int64
	undo   int64 // what a fetch that fails now returns it to; 0 when nothing
	hungry bool  // a caller has found nothing since the last segment arrived
	hunger uint64

	timer *time.Timer // runs while now is above the safe distance
	used  uint64      // ids given out when the period began
}

// fed notes what a fetch has brought.
func (d *distance) fed(f *flight) {
	d.hungry = false
	if f.hunger {
		d.undo = 0
	}
}

// starve doubles the distance for the first caller that finds a used-up
// segment and none behind it. A generator that had none yet, or whose segments
// were dropped, isn't hungry.
func (g *Generator) starve() {
	d := &g.distance
	if g.options.Mode != Chain || !g.background() || d.hungry || g.current.Load().size == 0 {
		return
	}
	d.hungry = true
	d.hunger++
	grown := min(d.now, g.options.MaxPrefetchDistance/2) * 2
	if d.now > g.options.MaxPrefetchDistance/2 {
		grown = g.options.MaxPrefetchDistance
	}
	from := d.now
	if grown > from {
		d.undo, d.now = from, grown
		g.watchDistance()
	}
	g.emit(func(l *Listener) { call(l.OnHunger, Hunger{Counter: g.counter(g.group), From: from, To: grown}) })
}

// relent takes back what hunger did, when the fetch fails that was to
// satisfy it.
func (d *distance) relent() {
	if d.undo > 0 {
		d.now, d.undo = min(d.now, d.undo), 0 // quiet periods may have halved it since
	}
}

func (g *Generator) watchDistance() {
	if g.distance.timer == nil {
		g.distance.used = g.given()
		g.distance.timer = time.AfterFunc(period, g.tick)
	}
}

// tick halves a distance of which less than half was used in a period.
func (g *Generator) tick() {
	now := time.Now()
	g.mu.Lock()
	defer g.unlock()
	d := &g.distance
	if d.timer == nil { // stopped meanwhile
		return
	}
	g.shedNow()
	g.sample(now)
	used := g.given()
	if segments := (used - d.used) / uint64(g.options.Step); segments < uint64(d.now)/2 {
		d.now = max(d.now/2, g.options.SafeDistance)
		g.plan(now)
	}
	d.used = used
	if d.now <= g.options.SafeDistance || !g.background() {
		d.timer = nil
		return
	}
	d.timer.Reset(period)
}
