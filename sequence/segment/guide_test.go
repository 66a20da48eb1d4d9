package segment_test

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
)

// costs are what a step costs a chain, as the guide has it.
type costs struct {
	step         int64
	callsASecond float64
	lasts        time.Duration
	lost         int64
}

// costsOf is the guide's formula.
func costsOf(step, safeDistance, idsASecond int64) costs {
	return costs{
		step: step, callsASecond: float64(idsASecond) / float64(step),
		lasts: time.Duration(safeDistance*step) * time.Second / time.Duration(idsASecond),
		lost:  (safeDistance + 1) * step,
	}
}

// The guide's table is what the formula gives, and what a generator does.
func TestGuideSteps(t *testing.T) {
	const idsASecond = 1000
	text, err := os.ReadFile("../../docs/segments.md")
	require.NoError(t, err)
	guide := string(text)
	number := func(s string) float64 {
		f, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
		require.NoError(t, err)
		return f
	}
	rows := regexp.MustCompile(`(?m)^\| ([\d,]+) \| ([\d.]+) \| (\d+) (ms|s) \| ([\d,]+) \|$`).FindAllStringSubmatch(guide, -1)
	require.Len(t, rows, 5)
	for _, row := range rows {
		lasts, err := time.ParseDuration(row[3] + row[4])
		require.NoError(t, err)
		c := costs{int64(number(row[1])), number(row[2]), lasts, int64(number(row[5]))}
		require.Equal(t, costsOf(c.step, segment.DefaultSafeDistance, idsASecond), c)
		synctest.Test(t, func(t *testing.T) { requireCosts(t, c, idsASecond) })
	}
	require.Contains(t, guide, fmt.Sprintf("%.1e of them a year, and there are %.1e",
		float64(100*10*365*costsOf(100_000, segment.DefaultSafeDistance, idsASecond).lost), float64(math.MaxInt64)))
}

// requireCosts runs a generator at a steady rate, then without its store.
func requireCosts(t *testing.T, c costs, idsASecond int64) {
	t.Helper()
	f := newFake()
	g := newGenerator(t, f, segment.Options{Step: c.step})
	require.NoError(t, g.Warm(background))
	f.set(func(f *fake) { f.delay = time.Millisecond })
	pause := time.Second / time.Duration(idsASecond)
	run := func(ids int64) {
		for range ids {
			next(t, g)
			time.Sleep(pause)
			s := g.Stats()
			require.LessOrEqual(t, s.Current+s.Reserve, uint64(c.lost))
		}
	}
	run(c.step)
	calls := len(f.calls())
	const steps = 3
	run(steps * c.step)
	require.InDelta(t, steps, len(f.calls())-calls, 1, "a call for each step")
	require.Zero(t, g.Stats().Hunger)

	f.set(func(f *fake) { f.err = errDown })
	start := time.Now()
	for err := error(nil); err == nil; {
		if _, err = g.Next(background); err == nil {
			time.Sleep(pause)
		}
	}
	require.GreaterOrEqual(t, time.Since(start), c.lasts)
	require.LessOrEqual(t, time.Since(start), time.Duration(c.lost)*pause)
}
