package clock

import (
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// ticker is a counter that can be disturbed. Its time is that of a bubble.
type ticker struct {
	since time.Time
	rate  float64 // ticks per nanosecond
	tick  float64 // at since
}

const ticksPerNano = 2.45

func newTicker() *ticker {
	return &ticker{since: time.Now(), rate: ticksPerNano, tick: 1e15}
}

func (c *ticker) read() uint64 {
	return uint64(c.tick + c.rate*float64(time.Since(c.since)))
}

// pace changes the rate from now on.
func (c *ticker) pace(rate float64) {
	c.tick, c.since, c.rate = float64(c.read()), time.Now(), rate
}

// jump moves the counter by d at its rate.
func (c *ticker) jump(d time.Duration) { c.tick += float64(d) * c.rate }

// gauged is a clock with a disturbed counter.
func gauged() (*System, *ticker) {
	c := newTicker()
	return NewSystem(Options{Ticks: c.read}), c
}

// deadline reads the clock and tells whether the counter is relied on.
func deadline(s *System) bool {
	_, _, ok := s.Deadline(s.Read(), time.Millisecond, 10*time.Millisecond)
	return ok
}

// learn lets the clock measure its counter.
func learn(t *testing.T, s *System) {
	t.Helper()
	require.False(t, deadline(s), "before it was measured")
	steady(s)
	require.True(t, deadline(s))
}

// steady lets enough time pass for the rate to be measured and confirmed.
func steady(s *System) {
	time.Sleep(firstSpan)
	deadline(s)
	time.Sleep(firstSpan)
}

func TestTheRateIsMeasuredFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := gauged()
		require.False(t, deadline(s))
		time.Sleep(firstSpan)
		require.False(t, deadline(s), "once")
		time.Sleep(firstSpan - 1)
		require.False(t, deadline(s))
		time.Sleep(time.Nanosecond)
		require.True(t, deadline(s))
		require.InEpsilon(t, ticksPerNano, float64(*s.gauge.rate.Load()), 1e-6)
	})
}

// A deadline is early by little, at any rate, and never late.
func TestDeadlineIsALittleEarly(t *testing.T) {
	for _, rate := range []float64{0.024, 1, ticksPerNano, 5.7} {
		synctest.Test(t, func(t *testing.T) {
			s, c := gauged()
			c.pace(rate)
			learn(t, s)
			for _, d := range []time.Duration{100, time.Microsecond, time.Millisecond, 10 * time.Millisecond} {
				before := c.read()
				end, span, ok := s.Deadline(s.Read(), d, 10*time.Millisecond)
				require.True(t, ok)
				exact := float64(d) * rate
				got := float64(end - before)
				require.LessOrEqual(t, got, exact, "%v at %v", d, rate)
				require.GreaterOrEqual(t, got, exact*(1-1.1/early)-2, "%v at %v", d, rate)
				require.GreaterOrEqual(t, float64(span), float64(10*time.Millisecond)*rate*(1-1e-6))
			}
		})
	}
}

// The clock is slewed, and a processor's rate depends on its temperature.
func TestTheRateFollowsSlowChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := gauged()
		learn(t, s)
		for range 100 {
			c.pace(c.rate * 1.0003)
			time.Sleep(nextSpan)
			require.True(t, deadline(s))
		}
		require.InEpsilon(t, c.rate, float64(*s.gauge.rate.Load()), 1e-3)
		require.Zero(t, s.gauge.faults)
	})
}

func TestFaultsAreNoticedWithTheNextReading(t *testing.T) {
	for name, disturb := range map[string]func(*ticker){
		"jumps forward":      func(c *ticker) { c.jump(time.Millisecond) },
		"jumps back":         func(c *ticker) { c.jump(-time.Millisecond) },
		"jumps far forward":  func(c *ticker) { c.jump(time.Hour) },
		"begins anew":        func(c *ticker) { c.pace(c.rate); c.tick = 0 },
		"stands still":       func(c *ticker) { c.pace(0) },
		"goes faster":        func(c *ticker) { c.pace(c.rate * 1.1) },
		"goes at half speed": func(c *ticker) { c.pace(c.rate / 2) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, c := gauged()
				learn(t, s)
				time.Sleep(100 * time.Microsecond)
				require.True(t, deadline(s))
				disturb(c)
				time.Sleep(time.Millisecond)
				require.False(t, deadline(s))
				require.Equal(t, 1, s.gauge.faults)
				if c.rate > 0 { // it is steady again
					steady(s)
					require.True(t, deadline(s))
					require.InEpsilon(t, c.rate, float64(*s.gauge.rate.Load()), 1e-6)
				}
			})
		})
	}
}

// A jump while the rate is measured would make it a wrong one.
func TestAJumpWhileTheRateIsMeasured(t *testing.T) {
	for _, d := range []time.Duration{time.Hour, time.Second, 100 * time.Microsecond, -100 * time.Microsecond, -time.Hour} {
		for reading := range 2 {
			synctest.Test(t, func(t *testing.T) {
				s, c := gauged()
				deadline(s)
				for i := range 8 {
					if i == reading {
						c.jump(d)
					}
					time.Sleep(firstSpan)
					if deadline(s) {
						require.InEpsilon(t, ticksPerNano, float64(*s.gauge.rate.Load()), 1e-6, "%v at reading %d", d, reading)
					}
				}
				require.True(t, deadline(s))
			})
		}
	}
}

func TestACounterThatKeepsJumpingIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := gauged()
		learn(t, s)
		for range maxFaults + 1 {
			require.True(t, deadline(s))
			c.jump(time.Millisecond)
			require.False(t, deadline(s))
			steady(s)
			deadline(s)
		}
		time.Sleep(2 * forgiven)
		require.False(t, deadline(s), "for good")
	})
}

// A machine that is suspended each night isn't a broken one.
func TestRareFaultsAreForgiven(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := gauged()
		learn(t, s)
		for range 10 * maxFaults {
			time.Sleep(24 * time.Hour)
			c.jump(-8 * time.Hour)
			require.False(t, deadline(s))
			steady(s)
			require.True(t, deadline(s))
		}
	})
}

// A process can be put aside between reading the counter and the clock.
func TestInterruptedReadingsSayNothing(t *testing.T) {
	mono := func(n int) time.Duration { return time.Duration(n) * firstSpan }
	tick := func(d time.Duration) uint64 { return uint64(3 * d) }
	var g gauge
	require.Nil(t, g.observe(tick(mono(0))-50_000, 100_000, mono(0)), "the first, and interrupted")
	require.Nil(t, g.observe(tick(mono(1)), 100, mono(1)), "the first that counts")
	require.Nil(t, g.observe(tick(mono(2)), 100, mono(2)), "not confirmed")
	rate := g.observe(tick(mono(3)), 100, mono(3))
	require.NotNil(t, rate)
	require.InEpsilon(t, 3, float64(*rate), 1e-9)

	require.NotNil(t, g.observe(tick(mono(4))-9_000_000, 9_000_000, mono(4)), "the clock was read late")
	require.Zero(t, g.faults)
	require.Nil(t, g.observe(tick(mono(5))-9_000_000, 200, mono(5)), "the counter is wrong")
	require.Equal(t, 1, g.faults)
}

// Readings of several goroutines come out of order.
func TestReadingsOutOfOrderFit(t *testing.T) {
	var g gauge
	g.observe(0, 100, 0)
	g.observe(3e9, 100, time.Second)
	require.NotNil(t, g.observe(6e9, 100, 2*time.Second))
	require.NotNil(t, g.observe(5.9e9, 100, time.Second*59/30))
	require.Zero(t, g.faults)
}

func TestACounterNearItsEndIsNotUsed(t *testing.T) {
	var g gauge
	g.observe(maxTicks-1000, 100, 0)
	require.Nil(t, g.observe(maxTicks, 100, firstSpan))
	require.Nil(t, g.observe(math.MaxUint64-50, 100, firstSpan))
}

func TestStrategies(t *testing.T) {
	ticks := func() uint64 { return 0 }
	wall := time.Now
	for name, c := range map[string]struct {
		options Options
		counter bool
	}{
		"portable":               {Options{Strategy: Portable}, false},
		"portable in spite of":   {Options{Strategy: Portable, Ticks: ticks}, false},
		"a given wall clock":     {Options{Wall: wall}, false},
		"asked for, but a wall":  {Options{Wall: wall, Strategy: Counter}, false},
		"a given counter":        {Options{Ticks: ticks}, true},
		"a given wall and count": {Options{Ticks: ticks, Wall: wall}, true},
	} {
		require.Equal(t, c.counter, NewSystem(c.options).gauge != nil, name)
	}
	require.Equal(t, "auto portable counter Strategy(3)", Auto.String()+" "+Portable.String()+" "+Counter.String()+" "+Strategy(3).String())
}

// In a bubble time is another than the counter's.
func TestNoCounterInABubble(t *testing.T) {
	s := NewSystem(Options{Strategy: Counter})
	require.Equal(t, s.gauge != nil, s.Read().width > 0)
	synctest.Test(t, func(t *testing.T) {
		for range 3 {
			require.Zero(t, s.Read().width)
			require.False(t, deadline(s))
			time.Sleep(firstSpan)
		}
	})
	if s.gauge != nil {
		require.Zero(t, s.gauge.faults)
	}
}

// Where there is a counter, it is relied on after a while.
func TestTheProcessorsCounter(t *testing.T) {
	s := NewSystem(Options{Strategy: Counter})
	if s.gauge == nil {
		t.Skip("this processor has no counter of a constant rate")
	}
	for range 1000 {
		if deadline(s) {
			return
		}
		time.Sleep(firstSpan)
	}
	t.Errorf("never relied on; %d faults", s.gauge.faults)
}
