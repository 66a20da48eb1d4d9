package segment_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

var writeTable = flag.Bool("write-prefetch-table", false, "write docs/prefetch-table.md")

const (
	prefetchTable = "../../docs/prefetch-table.md"
	segmentsGuide = "../../docs/segments.md"
)

// beat is how far arrivals are apart. As no latency is a multiple of it, nothing
// happens at the same instant, and runs in virtual time are exactly alike.
const beat = 997 * time.Microsecond

// load is what callers ask for: at each instant, a number of ids.
type load struct {
	name     string
	arrivals func(yield func(at time.Duration, n int) bool)
}

var loads = []load{
	{"steady", func(yield func(time.Duration, int) bool) { // 10,000 a second for 10 s
		for i := range 10_000 {
			if !yield(time.Duration(i)*beat, 10) {
				return
			}
		}
	}},
	{"bursts", func(yield func(time.Duration, int) bool) { // 100,000 a second for 0.2 s, every 2 s
		for burst := range 5 {
			for i := range 200 {
				if !yield(time.Duration(burst*2_006+i)*beat, 100) {
					return
				}
			}
		}
	}},
	{"idle", func(yield func(time.Duration, int) bool) { // 10 a second for a minute
		for i := range 600 {
			if !yield(time.Duration(i)*100*beat, 1) {
				return
			}
		}
	}},
}

var (
	latencies = []time.Duration{200 * time.Microsecond, time.Millisecond, 5 * time.Millisecond, 50 * time.Millisecond}
	steps     = []int64{10, 100, 1_000, 10_000, 100_000}
)

// outcome is what a run costs.
type outcome struct {
	given, calls, wasted, waits int64
	longest                     time.Duration
}

// prefetch runs a load against a chain whose distance hunger can raise up to most,
// over a store that answers after latency. A caller who gets its id later than it
// asked for it has waited, be it for a fetch or for those before it.
func prefetch(t *testing.T, l load, latency time.Duration, step, most int64) (o outcome) {
	synctest.Test(t, func(t *testing.T) {
		f := &slow{Memory: store.NewMemory(), latency: latency}
		g, err := segment.New(f, orders, segment.Options{Step: step, MaxPrefetchDistance: most})
		require.NoError(t, err)
		require.NoError(t, g.Warm(t.Context()))
		time.Sleep(time.Second)
		f.calls = 0
		begin := time.Now()
		for at, n := range l.arrivals {
			time.Sleep(at - time.Since(begin)) // at once, if it is late
			for range n {
				_, err := g.Next(t.Context())
				require.NoError(t, err)
				o.given++
				if late := time.Since(begin) - at; late > 0 {
					o.waits++
					o.longest = max(o.longest, late)
				}
			}
		}
		time.Sleep(10 * time.Second) // the distance comes down
		synctest.Wait()
		maxID, err := f.Peek(t.Context(), orders)
		require.NoError(t, err)
		o.calls, o.wasted = f.calls, maxID-o.given
		require.NoError(t, g.Close())
	})
	return o
}

// slow is a memory store that answers after a while, and counts. A chain makes one
// call at a time.
type slow struct {
	*store.Memory
	latency time.Duration
	calls   int64
}

func (s *slow) Allocate(ctx context.Context, key store.Key, n int64) (int64, error) {
	s.calls++
	time.Sleep(s.latency)
	return s.Memory.Allocate(ctx, key, n)
}

// compared are both ways under one load.
type compared struct {
	load            load
	latency         time.Duration
	step            int64
	adaptive, fixed outcome
}

func compare(t *testing.T, l load, latency time.Duration, step int64) compared {
	return compared{
		l, latency, step,
		prefetch(t, l, latency, step, segment.DefaultMaxPrefetchDistance),
		prefetch(t, l, latency, step, segment.DefaultSafeDistance),
	}
}

// row is a line of the table.
func (c compared) row() string {
	cells := []string{c.load.name, c.latency.String(), fmt.Sprint(c.step)}
	for _, o := range []outcome{c.adaptive, c.fixed} {
		cells = append(cells,
			fmt.Sprintf("%.0f", float64(o.calls)/float64(o.given)*1e6), fmt.Sprint(o.wasted),
			fmt.Sprint(o.waits), fmt.Sprintf("%.2f %%", float64(o.waits)/float64(o.given)*100), brief(o.longest))
	}
	return "| " + strings.Join(cells, " | ") + " |"
}

// brief is a duration without digits that say nothing.
func brief(d time.Duration) string {
	if d < time.Millisecond {
		return d.Round(time.Microsecond).String()
	}
	return d.Round(100 * time.Microsecond).String()
}

const prefetchHead = `# Adaptive prefetch against a fixed distance

` + "`make prefetch-table`" + ` writes this page, from runs of the real generator in virtual time.
[Numbers from a shared counter](segments.md) says what it means.

Adaptive is the default: a chain whose distance begins at 2 segments, and which callers
that find nothing raise up to 10,000. Fixed stays at 2 (` + "`MaxPrefetchDistance: 2`" + `).
Steady is 10,000 ids a second for 10 s; bursts are 100,000 ids a second for 0.2 s, every
2 s, five times; idle is 10 ids a second for a minute. Calls are those to the store per
million ids. Wasted ids are those that the instance holds 10 s after the load, which are
lost when it ends. Waits are ids that came later than they were asked for, and the longest
delay of one.

| load | store | step | adaptive: calls | wasted | waits | share | longest | fixed: calls | wasted | waits | share | longest |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
`

// The page is what the generator does now. make prefetch-table writes it anew.
func TestPrefetchTable(t *testing.T) {
	if raceEnabled {
		t.Skip("takes long, and nothing in it is at the same time")
	}
	all := compareAll(t)
	var page strings.Builder
	page.WriteString(prefetchHead)
	for _, c := range all {
		page.WriteString(c.row() + "\n")
	}
	if *writeTable {
		require.NoError(t, os.WriteFile(prefetchTable, []byte(page.String()), 0o644))
	}
	text, err := os.ReadFile(prefetchTable)
	require.NoError(t, err)
	require.Equal(t, page.String(), string(text))
	requireClaims(t, all)
	requireExcerpt(t, page.String())
}

func compareAll(t *testing.T) (all []compared) {
	for _, l := range loads {
		for _, latency := range latencies {
			for _, step := range steps {
				all = append(all, compare(t, l, latency, step))
			}
		}
	}
	return all
}

// requireClaims checks what the guide says about the table.
func requireClaims(t *testing.T, all []compared) {
	perSecond := map[string]float64{"steady": 10, "bursts": 100, "idle": 0.01}
	for _, c := range all {
		a, f := c.adaptive, c.fixed
		require.Equal(t, f.given, a.given)
		require.LessOrEqual(t, a.waits, f.waits, "no more waits: %s", c.row())
		require.LessOrEqual(t, a.longest, f.longest, "no longer ones: %s", c.row())
		require.LessOrEqual(t, a.calls, f.calls, "no more calls: %s", c.row())
		during := perSecond[c.load.name] * float64(c.latency) / float64(beat)
		if float64(c.step) > during {
			require.Equal(t, f, a, "a step that outlasts a call is enough: %s", c.row())
			require.Zero(t, a.waits, c.row())
		} else if f.waits > 0 {
			require.Greater(t, float64(f.waits)/float64(f.given), 0.89, "most ids are late: %s", c.row())
			require.Less(t, a.longest, 500*time.Millisecond, c.row())
			require.Greater(t, a.wasted, f.wasted, "it costs ids: %s", c.row())
		}
	}
}

// requireExcerpt checks that the guide's rows are those of the page.
func requireExcerpt(t *testing.T, page string) {
	guide, err := os.ReadFile(segmentsGuide)
	require.NoError(t, err)
	rows := 0
	for line := range strings.Lines(string(guide)) {
		for _, l := range loads {
			if strings.HasPrefix(line, "| "+l.name+" | ") {
				rows++
				require.Contains(t, page, line)
			}
		}
	}
	require.Positive(t, rows)
}
