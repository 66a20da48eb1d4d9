package metrics

import (
	"errors"
	"time"

	"github.com/stampid/go-stamp/sequence/segment"
)

// provider measures the generators of a name. Nothing is told of the share that
// each provider has, while it isn't used.
func provider(emit func(Sample), p *segment.Provider, name string) (told bool) {
	s, err := p.Stats(name)
	if err != nil || name == segment.Share && s.Fetches == 0 {
		return false
	}
	g, err := p.Generator(name)
	if err != nil {
		return false
	}
	labels := []string{valid(p.Namespace()), valid(name)}
	value := func(f *Family, v float64, more ...string) {
		emit(Sample{Family: f, Values: append(labels[:2:2], more...), Value: v})
	}
	value(SegmentIDs, float64(s.Given))
	value(SegmentCurrent, float64(s.Current))
	value(SegmentReserve, float64(s.Reserve))
	value(SegmentRate, s.Rate)
	value(SegmentPeakRate, s.PeakRate)
	value(SegmentExhaustion, seconds(s.TimeToExhaustion))
	value(SegmentOutage, seconds(s.SurvivableOutage))
	value(SegmentFetches, float64(s.Fetches))
	value(SegmentFailures, float64(s.FetchFailures))
	emit(Sample{Family: SegmentFetchTimes, Values: labels, Times: &s.FetchTimes})
	emit(Sample{Family: SegmentWaitTimes, Values: labels, Times: &s.WaitTimes})
	value(SegmentConflicts, float64(s.Conflicts))
	value(SegmentWasted, float64(s.Wasted.TTL), "ttl")
	value(SegmentWasted, float64(s.Wasted.Group), "group")
	value(SegmentWasted, float64(s.Wasted.Unknown), "unknown")
	value(SegmentWasted, float64(s.Wasted.Rollback), "rollback")
	value(SegmentHeldClosed, float64(s.Wasted.Close))
	value(SegmentDistance, float64(s.PrefetchDistance))
	value(SegmentHunger, float64(s.Hunger))
	value(SegmentRollbacks, float64(s.Rollbacks))
	value(SegmentStopped, flag(errors.Is(p.Err(name), segment.ErrRolledBack)))
	value(SegmentBackingOff, flag(s.Backoff.After(time.Now())))
	value(SegmentLeftBehind, float64(s.LeftBehind))
	value(SegmentAudited, flag(g.Options().Audit != nil))
	return true
}

// Bounds are where a histogram's classes are told apart, in seconds and as
// durations, for which [segment.Times.Below] is exact.
func Bounds() []time.Duration {
	var bounds []time.Duration
	for d := time.Duration(1) << 16; d <= 1<<34; d <<= 2 { // 66 µs to 17 s
		bounds = append(bounds, d)
	}
	return bounds
}
