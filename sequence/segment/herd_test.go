package segment_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

// What the tests of many instances have in common.
const (
	herd       = 200                    // instances
	herdStep   = 50                     // numbers
	herdEach   = 40 * time.Millisecond  // between numbers of an instance, on average
	herdWindow = 100 * time.Millisecond // in which calls are counted
	herdTakes  = time.Millisecond       // that the store is busy with a call
	herdPeriod = herdStep * herdEach    // between calls of an instance that lacks nothing
)

var errAway = errors.New("connection refused")

// station is a store that takes a while for a call, can do so many a second, and
// is away for a time. It counts the calls that come in each window.
type station struct {
	*store.Memory
	begun      time.Time
	latency    time.Duration
	gone, back time.Time

	mu   sync.Mutex
	free time.Time // when it has done all that it was asked for
	asked
}

// asked is what instances have asked of a station.
type asked struct {
	windows []int         // the calls in each
	longest time.Duration // that a call took
}

func newStation() *station {
	return &station{Memory: store.NewMemory(), begun: time.Now(), latency: 2 * time.Millisecond}
}

func (s *station) Allocate(ctx context.Context, key store.Key, n int64) (int64, error) {
	wait, err := s.queue(time.Now())
	if err != nil {
		return 0, err
	}
	time.Sleep(wait)
	return s.Memory.Allocate(ctx, key, n)
}

// queue counts a call and says how long it takes.
func (s *station) queue(now time.Time) (time.Duration, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	window := int(now.Sub(s.begun) / herdWindow)
	s.windows = append(s.windows, make([]int, max(0, window+1-len(s.windows)))...)
	s.windows[window]++
	if !now.Before(s.gone) && now.Before(s.back) {
		return 0, errAway
	}
	if s.free.Before(now) {
		s.free = now
	}
	s.free = s.free.Add(herdTakes)
	wait := s.free.Sub(now) + s.latency
	s.longest = max(s.longest, wait)
	return wait, nil
}

// from are the windows that begin at an instant of the test or later.
func (a asked) from(at time.Duration) []int { return a.windows[(at+herdWindow-1)/herdWindow:] }

// instance takes numbers until the test is over, at random times.
func instance(random *rand.Rand, end time.Time, next func()) {
	for time.Now().Before(end) {
		time.Sleep(time.Duration(random.ExpFloat64() * float64(herdEach)))
		next()
	}
}

// guarded is an instance as programs have it.
func guarded(t *testing.T, s *station, random *rand.Rand, end time.Time) {
	g := newGenerator(t, s, segment.Options{Step: herdStep})
	instance(random, end, func() { _, _ = g.Next(background) })
}

// inStep is one that waits as long after failures, but without any randomness.
func inStep(t *testing.T, s *station, random *rand.Rand, end time.Time) {
	g := newGenerator(t, s, segment.Options{Step: herdStep, NoBackground: true, BackoffMin: 1, BackoffMax: 1})
	instance(random, end, func() {
		_, err := g.Next(background)
		for wait := segment.DefaultBackoffMin; err != nil; wait = min(2*wait, segment.DefaultBackoffMax) {
			time.Sleep(wait)
			_, err = g.Next(background)
		}
	})
}

// runHerd starts instances at once, and lets them run for two minutes. The store is
// away from one instant to another.
func runHerd(t *testing.T, gone, back time.Duration, run func(*testing.T, *station, *rand.Rand, time.Time)) asked {
	const length = 2 * time.Minute
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	s := newStation()
	_, err := s.Create(background, orders, 0)
	require.NoError(t, err)
	s.gone, s.back = s.begun.Add(gone), s.begun.Add(back)
	var running sync.WaitGroup
	for i := range uint64(herd) {
		running.Go(func() { run(t, s, rand.New(rand.NewPCG(seed, i)), s.begun.Add(length)) })
	}
	running.Wait()
	time.Sleep(10 * time.Second) // for calls that are under way: a station ends none early
	s.mu.Lock()
	defer s.mu.Unlock()
	return asked{slices.Clone(s.windows), s.longest}
}

// most is how many calls of all instances may come in a window after an outage
// that was longer than it takes the wait to grow to its longest, W.
//
// A wait ends at an instant that is equally likely in the second half of it. So an
// instance comes back in a given window with a probability of at most window ÷ W/2.
// It then asks twice, for what it lacks and, since that is what it is to have in
// reserve, for one segment more; and then once in a period. The instances are
// independent of each other, so what comes in a window is about a Poisson
// distribution, of twos and ones, and six deviations above its mean comes once in
// many millions of windows.
func most() int {
	back := herd * herdWindow.Seconds() / (segment.DefaultBackoffMax / 2).Seconds()
	steady := herd * herdWindow.Seconds() / herdPeriod.Seconds()
	mean, variance := 2*back+steady, 4*back+steady
	return int(math.Ceil(mean + 6*math.Sqrt(variance)))
}

// The store is away when all instances start, or goes away under them, for longer
// than it takes to reach the longest wait. When it is back they don't come all at
// once, and no call has to wait for long behind others.
func TestManyInstancesAreNoHerd(t *testing.T) {
	for name, away := range map[string][2]time.Duration{
		"at the start":   {0, 30 * time.Second},
		"while they run": {20 * time.Second, 60 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := runHerd(t, away[0], away[1], guarded)
				after := s.from(away[1])
				t.Logf("at most %d calls in %v, %d allowed; none took longer than %v", slices.Max(after), herdWindow, most(), s.longest)
				require.LessOrEqual(t, slices.Max(after), most())
				back := int(segment.DefaultBackoffMax / herdWindow)
				require.GreaterOrEqual(t, sum(after[:back+1]), 2*herd, "all are back when the longest wait is over")
			})
		})
	}
}

// The test of the test: instances that wait as long, but all of them equally long,
// come at once.
func TestManyInstancesWithoutJitterAreAHerd(t *testing.T) {
	const back = 30 * time.Second
	synctest.Test(t, func(t *testing.T) {
		s := runHerd(t, 0, back, inStep)
		peak := slices.Max(s.from(back))
		t.Logf("%d calls in %v", peak, herdWindow)
		require.Greater(t, peak, 2*most())
	})
}

// All instances start at once and the store is there. Each asks it twice at once,
// for its first numbers and for the reserve, which can't be helped. Their next calls
// lie apart as far as the times differ at which they have used up a segment: the
// deviation of the sum of herdStep waits, and at the most of a normal distribution
// 1 ÷ √2π lie within one deviation.
func TestColdStartOfManyInstances(t *testing.T) {
	deviation := math.Sqrt(herdStep) * herdEach.Seconds()
	mean := herd * herdWindow.Seconds() / deviation / math.Sqrt(2*math.Pi)
	allowed := int(math.Ceil(mean + 6*math.Sqrt(mean)))
	synctest.Test(t, func(t *testing.T) {
		s := runHerd(t, 0, 0, guarded)
		start, later := s.windows[:herdPeriod/herdWindow/4], s.from(herdPeriod/4)
		t.Logf("%v at the start, later at most %d, %d allowed", start, slices.Max(later), allowed)
		require.InDelta(t, 2*herd, sum(start), herd/20)
		require.LessOrEqual(t, slices.Max(later), allowed)
		require.Less(t, s.longest, 2*herd*herdTakes, "no call waits longer than behind all those")
	})
}

func sum(counts []int) (total int) {
	for _, n := range counts {
		total += n
	}
	return total
}
