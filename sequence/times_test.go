package sequence_test

import (
	"flag"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
)

// realTime is how long TestTimesAreTheWallClocks takes for each strategy.
var realTime = flag.Duration("real", time.Second, "how long ids are compared with the wall clock")

var strategies = []clock.Strategy{clock.Portable, clock.Counter}

// withStrategy gives settings a system clock of their own.
func withStrategy(strategy clock.Strategy) func(*sequence.Settings) {
	return func(s *sequence.Settings) { s.Clock = clock.NewSystem(clock.Options{Strategy: strategy}) }
}

// An id's time is a unit in which its call was under way, by the operating
// system's wall clock: the call may be put aside for however long.
func TestTimesAreTheWallClocks(t *testing.T) {
	for _, strategy := range strategies {
		t.Run(strategy.String(), func(t *testing.T) {
			f := newFixture(t, layoutWith(20), withStrategy(strategy))
			requireTimes(f, rand.New(rand.NewPCG(seed(t), 0)), *realTime, 1000)
		})
	}
}

// A day, in which the counter's pace wanders by as much as clocks are slewed.
func TestTimesOfADayOnACounter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCounted(epoch.Add(time.Hour)).(*counted)
		f := newFixture(t, layoutWith(20), func(s *sequence.Settings) { s.Clock = c.System })
		random := rand.New(rand.NewPCG(seed(t), 0))
		for range 24 * 60 {
			requireTimes(f, random, time.Minute, 10)
			c.pace(1 + (random.Float64()-0.5)/1000)
		}
	})
}

// requireTimes makes ids for d, in bursts with short and long pauses.
func requireTimes(f *fixture, random *rand.Rand, d time.Duration, burst int) {
	f.t.Helper()
	s, scale := f.sequence("orders", 1, 0), f.space.Settings().Timescale
	for end := time.Now().Add(d); time.Now().Before(end); {
		for range 1 + random.IntN(burst) {
			before := f.space.Settings().Clock.Read().Wall
			id := f.next(s)
			after := f.space.Settings().Clock.Read().Wall
			if after.Before(before) {
				continue // the clock was set back meanwhile
			}
			unit := int64(f.parts(id).Time)
			require.GreaterOrEqual(f.t, unit, scale.Units(before))
			require.LessOrEqual(f.t, unit, scale.Units(after))
		}
		switch random.IntN(4) {
		case 0:
			time.Sleep(time.Duration(random.Int64N(int64(d / 10))))
		case 1, 2:
			time.Sleep(time.Duration(random.IntN(int(3 * time.Millisecond))))
		}
	}
}
