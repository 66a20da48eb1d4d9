package sequence_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/sequence"
)

func TestAhead_DroppedSequenceLeavesAFloor(t *testing.T) {
	layout := bits.Layout{Partition: 2, Time: 41, Node: 16, Sequence: 4}
	f := newFixture(t, layout, nil)
	s := f.sequence("orders", 3, 1)
	ids := f.appendN(s, 1000) // 62 ms ahead of the clock
	last := f.timeOf(ids[999])
	other := f.sequence("made before", 3, 1)

	require.Equal(t, 1, f.reg.Drop("orders"))
	_, err := s.Next(context.Background(), &f.caller)
	require.ErrorIs(t, err, sequence.ErrDropped)
	_, err = s.NextAt(f.start, &f.caller)
	require.ErrorIs(t, err, sequence.ErrDropped)
	dst, err := sequence.Append[int64](context.Background(), s, nil, 9, &f.caller)
	require.ErrorIs(t, err, sequence.ErrDropped)
	require.Empty(t, dst)

	again := f.sequence("orders", 3, 1)
	require.NotSame(t, s, again)
	require.Equal(t, ids[999]+1, f.next(again), "right above the dropped one's last")
	require.Equal(t, last, f.timeOf(f.next(f.sequence("others", 3, 0))), "also for other ids and partitions of the node")
	require.Zero(t, f.timeOf(f.next(f.sequence("orders", 4, 1))), "but not for other nodes")
	require.Zero(t, f.timeOf(f.next(other)), "nor for what was there before")
}

// The floor is the highest of all that were dropped, in whatever order.
func TestAhead_FloorOnlyRises(t *testing.T) {
	f := newFixture(t, layoutWith(4), nil)
	high, low := f.sequence("high", 0, 0), f.sequence("low", 0, 0)
	last := f.appendN(high, 1000)[999]
	f.next(low)
	f.reg.Drop("high")
	f.reg.Drop("low")
	require.Equal(t, last+1, f.next(f.sequence("new", 0, 0)))
}

// Settings that differ only in what doesn't show in ids share the floor.
func TestAhead_FloorHoldsForOtherLimits(t *testing.T) {
	f := newFixture(t, layoutWith(4), nil)
	last := f.appendN(f.sequence("orders", 0, 0), 1000)[999]
	f.reg.Drop("orders")
	settings := f.space.Settings()
	settings.AheadPolicy, settings.MaxAhead = sequence.Fail, time.Hour
	space, err := f.reg.Space(settings)
	require.NoError(t, err)
	s, err := space.Sequence("orders", 0, 0)
	require.NoError(t, err)
	require.Equal(t, last+1, f.next(s))
}

func TestDropCountsAllSequencesOfAnID(t *testing.T) {
	layout := bits.Layout{Partition: 5, Time: 41, Node: 5, Sequence: 12}
	f := newFixture(t, layout, nil)
	for node := range uint64(4) {
		for p := range uint64(32) {
			f.sequence("orders", node, p)
		}
	}
	f.sequence("others", 0, 0)
	require.Equal(t, 129, f.reg.Len())
	require.Equal(t, 128, f.reg.Drop("orders"))
	require.Equal(t, 1, f.reg.Len())
}

// An id may come back with other settings once it was dropped.
func TestDropForgetsSettings(t *testing.T) {
	f := newFixture(t, layoutWith(4), nil)
	f.sequence("orders", 0, 0)
	settings := f.space.Settings()
	settings.Layout = layoutWith(5)
	space, err := f.reg.Space(settings)
	require.NoError(t, err)
	_, err = space.Sequence("orders", 0, 0)
	require.ErrorIs(t, err, sequence.ErrConflict)
	f.reg.Drop("orders")
	_, err = space.Sequence("orders", 0, 0)
	require.NoError(t, err)
}

// Eight goroutines make ids of two partitions while the id is dropped again
// and again: none is made twice, and each goroutine's go on rising.
func TestDropRacesWithCalls(t *testing.T) {
	const goroutines = 8
	n := 20_000
	if raceEnabled || testing.Short() {
		n = 3_000
	}
	for _, sequenceBits := range []int{1, 6, 15} {
		t.Run(fmt.Sprintf("%d bits", sequenceBits), func(t *testing.T) {
			layout := bits.Layout{Partition: 1, Time: 41, Node: 21 - sequenceBits, Sequence: sequenceBits}
			f := newFixture(t, layout, nil) // a frozen clock: all but the first time is driven ahead
			f.caller.Listener = nil
			lists := make([][]int64, goroutines)
			var calls, dropper sync.WaitGroup
			for g := range lists {
				calls.Go(func() { lists[g] = callThroughDrops(f, g, n) })
			}
			done := make(chan struct{})
			dropper.Go(func() {
				for {
					select {
					case <-done:
						return
					default:
						f.reg.Drop("orders")
						runtime.Gosched()
					}
				}
			})
			calls.Wait()
			close(done)
			dropper.Wait()
			total := 0
			for p := range uint64(2) {
				total += len(verify(t, layout, 1, p, []([]int64){lists[p], lists[p+2], lists[p+4], lists[p+6]}))
			}
			require.Equal(t, n*goroutines, total)
			f.reg.Drop("orders")
			require.Zero(t, f.reg.Len(), "the count is exact")
		})
	}
}

// callThroughDrops makes n ids of partition g mod 2.
func callThroughDrops(f *fixture, g, n int) []int64 {
	var mine []int64
	for len(mine) < n {
		s, err := f.space.Sequence("orders", 1, uint64(g%2))
		for i := 0; err == nil && len(mine) < n; i++ {
			if i%4 == 0 {
				mine, err = sequence.Append(context.Background(), s, mine, min(7, n-len(mine)), &f.caller)
				continue
			}
			var id int64
			if id, err = s.Next(context.Background(), &f.caller); err == nil {
				mine = append(mine, id)
			}
		}
		if err != nil && !errors.Is(err, sequence.ErrDropped) {
			f.t.Error(err)
			return mine
		}
	}
	return mine
}
