package metrics

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFamilies(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Families() {
		require.False(t, seen[f.Prometheus()], f.Name)
		seen[f.Prometheus()] = true
		require.Regexp(t, `^[a-z]+(\.[a-z]+)*$`, f.Name)
		require.NotEmpty(t, f.Unit, f.Name)
		require.Regexp(t, `^[A-Z].*[^.]$`, f.Help, f.Name)
		for _, label := range f.Labels {
			require.Regexp(t, regexp.MustCompile(`^(config|space|sequence|threshold|kind|namespace|generator|reason)$`), label, f.Name)
		}
	}
	require.Equal(t, "stamp_fence_left_seconds", FenceLeft.Prometheus())
	require.Equal(t, "stamp.fence.left", FenceLeft.OpenTelemetry())
	require.Equal(t, "stamp_segment_fetches_total", SegmentFetches.Prometheus())
}

// Events of so many sequence ids that each can't have a series.
func TestEventsBeyondTheMaximum(t *testing.T) {
	c := NewCollector(2)
	count := func() map[string]float64 {
		got := map[string]float64{}
		c.events.collect(func(f *Family, v float64, labels ...string) {
			require.Len(t, labels, len(f.Labels))
			got[f.Name+" "+key(labels)] += v
		})
		return got
	}
	for _, id := range []string{"a", "b", "c", "d", "a"} {
		c.events.add(Overflows, 2, c.max, id)
		c.events.add(AheadPassed, 1, 3*c.max, id, "1s")
	}
	got := count()
	require.Equal(t, 4.0, got["overflows a"])
	require.Equal(t, 4.0, got["overflows _other"])
	require.Equal(t, 2.0, got["ahead.passed a\x001s"])
	c.events.add(Duplicates, 0, c.max, "a")
	c.events.add(Duplicates, 1, c.max, "b")
	c.events.forget("a")
	c.events.forget("b")
	got = count()
	require.NotContains(t, got, "overflows a")
	require.NotContains(t, got, "duplicates a")
	require.Equal(t, 1.0, got["duplicates b"], "somebody must see to it")
	require.Equal(t, 4.0, got["overflows _other"])
}
