package faults_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/faults"
	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
)

// plans are all there are to have, by name.
func plans() map[string]faults.Plan {
	plans := map[string]faults.Plan{}
	for _, kind := range servers.Kinds() {
		plans[kind.Name] = faults.Plan{Workers: 4, Kind: kind}
		plans[kind.Name+" with clocks"] = faults.Plan{
			Workers: 4, Kind: kind, Reach: []time.Duration{time.Minute, 3 * time.Hour, time.Hour, time.Second},
			Fill: !kind.HasServer(), Lock: kind.Name == "file", Copy: kind.Name == "file",
		}
	}
	return plans
}

func TestScheduleIsOfItsSeed(t *testing.T) {
	for name, plan := range plans() {
		const length = 10 * time.Minute
		events := faults.Schedule(1, length, plan)
		require.Equal(t, events, faults.Schedule(1, length, plan))
		require.NotEqual(t, events, faults.Schedule(2, length, plan))
		seen := map[faults.Action]int{}
		var ends [2]time.Duration // of the two lines
		for _, e := range events {
			seen[e.Action]++
			line := 0
			if e.Action.OnWorkers() {
				line = 1
			}
			require.GreaterOrEqual(t, e.At, ends[line], "%v begins before the end of the one before", e)
			ends[line] = e.At + e.For
			require.Less(t, ends[line], length)
			require.Less(t, e.Worker, 4)
			if plan.Reach == nil {
				require.Zero(t, e.By, e)
			} else {
				require.LessOrEqual(t, e.By.Abs(), plan.Reach[e.Worker], e)
			}
		}
		want := []faults.Action{faults.KillWorker, faults.KillWorkers, faults.FreezeWorker}
		if plan.Reach != nil {
			want = append(want, faults.EndWorker, faults.SetClock, faults.FreezeClock)
		}
		if plan.Kind.HasServer() {
			want = append(want, faults.KillServer, faults.FreezeServer, faults.Cut, faults.BreakRequests)
		}
		if plan.Kind.CanHold() {
			want = append(want, faults.Hold)
		}
		if plan.Fill {
			want = append(want, faults.FillDisk)
		}
		if plan.Lock {
			want = append(want, faults.LockDisk)
		}
		if plan.Copy {
			want = append(want, faults.UseCopy)
		}
		for _, a := range want {
			require.Positive(t, seen[a], "%s: %v", name, a)
		}
		require.Len(t, seen, len(want))
	}
}

// Clocks are set by seconds and by hours, back and forth, while workers run and
// while they are down.
func TestClocksAreSetFarAndNear(t *testing.T) {
	const reach = 3 * time.Hour
	seen := map[[3]bool]int{}
	for _, e := range faults.Schedule(1, 10*time.Minute, faults.Plan{Workers: 1, Kind: servers.Kinds()[0], Reach: []time.Duration{reach}}) {
		if e.By != 0 {
			seen[[3]bool{e.Action == faults.SetClock, e.By > 0, e.By.Abs() > time.Hour}]++
		}
	}
	require.Len(t, seen, 8, seen)
}

// A fault that is longer than what is left doesn't end the list: a run of a few
// seconds has faults, whatever its seed.
func TestNoScheduleIsEmpty(t *testing.T) {
	plan := faults.Plan{Workers: 2, Kind: servers.Kinds()[0], Reach: []time.Duration{time.Hour, time.Hour}}
	for seed := range uint64(10_000) {
		onWorkers := 0
		for _, e := range faults.Schedule(seed, 2500*time.Millisecond, plan) {
			if e.Action.OnWorkers() {
				onWorkers++
			}
		}
		require.Positive(t, onWorkers, "seed %d", seed)
	}
}

func TestShortSchedule(t *testing.T) {
	for seed := range uint64(100) {
		for _, e := range faults.Schedule(seed, 100*time.Millisecond, faults.Plan{Workers: 1, Kind: servers.Kinds()[0]}) {
			require.Less(t, e.At+e.For, 100*time.Millisecond)
		}
	}
}

// Also a short round has all instances start at once.
func TestEveryScheduleKillsAllWorkers(t *testing.T) {
	for name, plan := range plans() {
		for seed := range uint64(200) {
			events := faults.Schedule(seed, 10*time.Second, plan)
			killed := slices.ContainsFunc(events, func(e faults.Event) bool { return e.Action == faults.KillWorkers })
			require.True(t, killed, "%s, seed %d: %v", name, seed, events)
		}
	}
}
