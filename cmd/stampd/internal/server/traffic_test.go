package server

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

func TestTraffic(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	seen := &traffic{now: func() time.Time { return now }}
	order := store.Key{Namespace: "shop", Name: "order"}
	for i := range 10 {
		now = now.Add(time.Second)
		seen.allocated(order, 100, int64(100*(i+1)), nil)
	}
	seen.allocated(order, 100, 900, nil) // an older answer
	seen.allocated(order, 100, 0, store.ErrUnknownOutcome)
	seen.allocated(order, 0, 0, store.ErrInvalid)
	seen.allocated(store.Key{Namespace: "shop", Name: "never"}, 5, 0, store.ErrNoCounter)
	counters := seen.report().Counters
	require.Len(t, counters, 1)
	got := counters[0]
	require.Equal(t, "shop.order", got.Counter)
	require.EqualValues(t, 1000, got.MaxID)
	require.EqualValues(t, 1100, got.Allocated)
	require.EqualValues(t, 11, got.Allocations)
	require.EqualValues(t, 1, got.Failures)
	require.Equal(t, now, got.Last)
	require.InDelta(t, 100, got.Rate, 15)

	now = now.Add(time.Minute)
	require.Less(t, seen.report().Counters[0].Rate, 2.0, "nobody asks any more")
	require.GreaterOrEqual(t, seen.report().Counters[0].PeakRate, got.Rate)
}

func TestTrafficIsBounded(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	seen := &traffic{now: func() time.Time { return now }}
	for i := range maxWatched + 5 {
		now = now.Add(time.Second)
		seen.allocated(store.Key{Namespace: "shop", Name: fmt.Sprintf("order@%04d", i)}, 1, 1, nil)
	}
	counters := seen.report().Counters
	require.Len(t, counters, maxWatched)
	require.Equal(t, "shop.order@0005", counters[0].Counter, "the oldest made room")
}
