package chaos

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
)

func TestScheduleIsOfItsSeed(t *testing.T) {
	for _, kind := range servers.Kinds() {
		const length = 5 * time.Minute
		events := Schedule(1, length, 4, kind)
		require.Equal(t, events, Schedule(1, length, 4, kind))
		require.NotEqual(t, events, Schedule(2, length, 4, kind))
		seen := map[Action]int{}
		var ends [2]time.Duration // of the two lines
		for _, e := range events {
			seen[e.Action]++
			line := 0
			if e.Action.onWorkers() {
				line = 1
			}
			require.GreaterOrEqual(t, e.At, ends[line], "%v begins before the end of the one before", e)
			ends[line] = e.At + e.For
			require.Less(t, ends[line], length)
			require.Less(t, e.Worker, 4)
		}
		want := []Action{KillWorker, KillWorkers, FreezeWorker}
		if kind.HasServer() {
			want = append(want, KillServer, FreezeServer, Cut, BreakRequests)
		}
		if kind.CanHold() {
			want = append(want, Hold)
		}
		for _, a := range want {
			require.Positive(t, seen[a], "%s: %v", kind.Name, a)
		}
		require.Len(t, seen, len(want))
	}
}

// Also a round of a few seconds has all instances start at once.
func TestEveryScheduleKillsAllWorkers(t *testing.T) {
	for _, kind := range servers.Kinds() {
		for seed := range uint64(200) {
			events := Schedule(seed, 4*time.Second, 4, kind)
			killed := slices.ContainsFunc(events, func(e Event) bool { return e.Action == KillWorkers })
			require.True(t, killed, "%s, seed %d: %v", kind.Name, seed, events)
		}
	}
}

func TestShortSchedule(t *testing.T) {
	for seed := range uint64(100) {
		for _, e := range Schedule(seed, 100*time.Millisecond, 1, servers.Kinds()[0]) {
			require.Less(t, e.At+e.For, 100*time.Millisecond)
		}
	}
}
