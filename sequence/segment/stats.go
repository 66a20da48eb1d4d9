package segment

import "time"

// Stats is what a generator tells about itself at one moment.
type Stats struct {
	// Current and Reserve are the ids left in the current segment and behind
	// it, the group of the moment only.
	Current, Reserve uint64
	// Given is how many ids were given out. An id of a group by function that
	// was claimed while its segment was being dropped counts as wasted.
	Given uint64
	// Rate and PeakRate are ids a second: an average over about the last
	// second in which there was anything to measure, and the highest of those.
	Rate, PeakRate float64
	// TimeToExhaustion is how long Current and Reserve last at Rate, and
	// SurvivableOutage at PeakRate; the longest duration when the rate is 0.
	TimeToExhaustion, SurvivableOutage time.Duration

	Fetches, FetchFailures uint64
	// FetchTimes are how long successful fetches took, FetchMean and FetchP99
	// are of them.
	FetchTimes          Times
	FetchMean, FetchP99 time.Duration
	// Conflicts is what a store counts that has a method Conflicts() uint64:
	// attempts that had to be made again since others were faster.
	Conflicts uint64
	// Waits is how many calls had to wait for a fetch, WaitTimes and WaitP99 how
	// long.
	Waits     uint64
	WaitTimes Times
	WaitP99   time.Duration
	// LeftBehind is how many store calls have not returned although their time
	// was over.
	LeftBehind int

	Wasted Wasted
	// PrefetchDistance is how many segments a chain keeps in reserve now.
	PrefetchDistance int64
	// Hunger is how often callers found nothing left.
	Hunger    uint64
	Rollbacks uint64
	// Backoff is until when no fetch starts, zero when there is no reason.
	Backoff time.Time
}

// Wasted is how many ids will never be given out, by reason.
type Wasted struct {
	TTL      uint64 // their segment expired
	Group    uint64 // their group ended, or another became the active one
	Unknown  uint64 // their fetch failed after it had reserved them, or may have
	Rollback uint64 // dropped when the store turned out to be rolled back
	Close    uint64 // what a closed generator still holds; it gets less when they are used
}

// Stats counts. It takes the generator's lock for a moment.
func (g *Generator) Stats() Stats {
	now := time.Now()
	g.mu.Lock()
	defer g.unlock()
	g.sample(now)
	m := &g.meter
	stock := g.stock()
	current := g.current.Load().left()
	s := Stats{
		Current: current, Reserve: stock - min(current, stock), Given: g.given(),
		Rate: m.rate, PeakRate: m.peak,
		TimeToExhaustion: lasts(stock, m.rate), SurvivableOutage: lasts(stock, m.peak),
		Fetches: m.fetches, FetchFailures: m.failures,
		FetchTimes: Times{m.latency}, FetchMean: m.latency.mean(), FetchP99: m.latency.quantile(0.99),
		Waits: m.waits.count, WaitTimes: Times{m.waits}, WaitP99: m.waits.quantile(0.99),
		LeftBehind: m.leftBehind,
		Wasted: Wasted{
			TTL: m.wastedTTL, Group: m.wastedGroup, Unknown: m.wastedUnknown, Rollback: m.wastedRollback,
		},
		PrefetchDistance: g.distance.now, Hunger: g.distance.hunger, Rollbacks: m.rollbacks,
		Backoff: g.backoff.next,
	}
	if g.options.Mode != Chain {
		s.PrefetchDistance = 0
	}
	if g.closed {
		s.Wasted.Close = stock
		if g.ahead != nil {
			s.Wasted.Close += g.ahead.size
		}
	}
	if c, ok := g.counters.(interface{ Conflicts() uint64 }); ok {
		s.Conflicts = c.Conflicts()
	}
	return s
}
