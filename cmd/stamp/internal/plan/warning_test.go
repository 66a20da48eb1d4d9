package plan_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/cmd/internal/format"
	"github.com/stampid/go-stamp/cmd/stamp/internal/plan"
)

var now = time.Date(2026, 8, 9, 12, 0, 0, 0, time.UTC)

// attempt is a layout for some needs, counted from an epoch.
type attempt struct {
	layout string
	epoch  time.Time // zero: now
	unit   time.Duration
	needs  plan.Needs
}

// warnings are the texts of an attempt's warnings by name.
func (a attempt) warnings(t *testing.T) map[string]string {
	t.Helper()
	layout, err := format.ParseLayout(a.layout)
	require.NoError(t, err)
	scale := bits.Timescale{Epoch: a.epoch, Unit: a.unit}
	if a.epoch.IsZero() {
		scale.Epoch = now
	}
	if a.unit == 0 {
		scale.Unit = time.Millisecond
	}
	p, err := plan.New(a.layout, format.Format{Layout: layout, Timescale: scale}, now)
	require.NoError(t, err)
	texts := map[string]string{}
	for _, w := range p.Warnings(a.needs) {
		require.NotContains(t, texts, w.Name)
		texts[w.Name] = w.Text
	}
	return texts
}

// Each warning comes just beyond its bound, alone, and not at it.
func TestWarnings(t *testing.T) {
	// 41 bits of milliseconds, and a twentieth of them.
	whole := (1 << 41) * time.Millisecond
	share := (whole / 20).Truncate(time.Hour)
	for _, test := range []struct {
		name string
		bad  attempt
		text string // names the number that is wrong
		good attempt
	}{
		{"no-time", attempt{layout: "4/0/0/59"}, "time has 0 bits", attempt{layout: "4/40/7/12"}},
		{
			"epoch-past",
			attempt{layout: "0/41/7/15", epoch: now.Add(-share - time.Hour)},
			"epoch 2023-02-13T22:00:00.000Z was 3.5 years ago",
			attempt{layout: "0/41/7/15", epoch: now.Add(-share)},
		},
		{
			"epoch-future",
			attempt{layout: "0/41/7/15", epoch: now.Add(48 * time.Hour)},
			"epoch 2026-08-11T12:00:00.000Z is in 2 days",
			attempt{layout: "0/41/7/15", epoch: now},
		},
		{
			"end",
			attempt{layout: "0/41/7/15", needs: plan.Needs{Years: 70}},
			"time with 41 bits ends at 2096-04-15T03:47:35.552Z, in 69.7 years",
			attempt{layout: "0/41/7/15", needs: plan.Needs{Years: 69}},
		},
		{
			"end",
			attempt{layout: "0/41/7/15", epoch: now.Add(-whole)},
			"time with 41 bits ended at 2026-08-09T12:00:00.000Z, 0 days ago",
			attempt{layout: "0/41/7/15", epoch: now.Add(time.Hour - whole)},
		},
		{
			"unit",
			attempt{layout: "0/31/7/25", unit: time.Second + 1},
			"unit is 1.000000001s",
			attempt{layout: "0/31/7/25", unit: time.Second},
		},
		{
			"rate",
			attempt{layout: "0/41/12/10", needs: plan.Needs{Rate: 1_024_001}},
			"sequence has 10 bits: 1,024,000 ids per second and node, below the rate of 1,024,001; 11 bits would do",
			attempt{layout: "0/41/12/10", needs: plan.Needs{Rate: 1_024_000}},
		},
		{
			"sequence",
			attempt{layout: "0/41/19/3"},
			"sequence has 3 bits: 8,000 ids per second and node",
			attempt{layout: "0/41/18/4"},
		},
		{
			"sequence",
			attempt{layout: "0/41/19/3"},
			"below 10,000",
			attempt{layout: "0/41/19/3", needs: plan.Needs{Rate: 8000}},
		},
		{"one-node", attempt{layout: "0/41/0/22"}, "node has 0 bits", attempt{layout: "0/41/1/21"}},
		{"one-node", attempt{layout: "0/41/0/22"}, "node has 0 bits", attempt{layout: "0/41/0/22", needs: plan.Needs{Nodes: 1}}},
		{
			"nodes-few",
			attempt{layout: "0/41/6/16", needs: plan.Needs{Nodes: 65}},
			"node has 6 bits: 64 nodes, fewer than the 65 that are needed; 7 bits would do",
			attempt{layout: "0/41/6/16", needs: plan.Needs{Nodes: 64}},
		},
		{
			"nodes-few",
			attempt{layout: "0/41/0/22", needs: plan.Needs{Nodes: 2}},
			"node has 0 bits: 1 nodes, fewer than the 2",
			attempt{layout: "0/41/1/21", needs: plan.Needs{Nodes: 2}},
		},
		{
			"nodes-many",
			attempt{layout: "0/41/10/12", needs: plan.Needs{Nodes: 256}},
			"node has 10 bits: 1,024 nodes, and 256 are needed; 8 bits",
			attempt{layout: "0/41/10/12", needs: plan.Needs{Nodes: 257}},
		},
		{
			"partitions",
			attempt{layout: "11/41/4/7"},
			"partition has 11 bits: 2,048 partitions, above the 1,024",
			attempt{layout: "10/41/4/8"},
		},
		{
			"javascript",
			attempt{layout: "0/41/7/15", needs: plan.Needs{JavaScript: true}},
			"ids have 63 bits",
			attempt{layout: "0/41/5/7", needs: plan.Needs{JavaScript: true}},
		},
		{"javascript", attempt{layout: "0/41/7/15", needs: plan.Needs{JavaScript: true}}, "above 53", attempt{layout: "0/41/7/15"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			found := test.bad.warnings(t)
			require.Contains(t, found[test.name], test.text)
			require.Len(t, found, 1)
			require.NotContains(t, test.good.warnings(t), test.name)
		})
	}
}

func TestTheDefaultIsWarnedOfOnlyWhenItHasAged(t *testing.T) {
	d := bits.Default()
	needs := plan.Needs{Years: 10}
	for year, want := range map[int]int{2026: 0, 2029: 0, 2031: 1, 2087: 2, 2097: 1} {
		at := time.Date(year, 12, 1, 0, 0, 0, 0, time.UTC)
		p, err := plan.New("", format.Format{Layout: d.Layout, Timescale: d.Timescale}, at)
		require.NoError(t, err)
		require.Len(t, p.Warnings(needs), want, "%d", year)
	}
}
