package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

const segmentStep = 1000

// segments makes a generator of its own over counters.
func segments(counters store.Counters, mode segment.Mode) *segment.Generator {
	return must(segment.New(counters, store.Key{Namespace: "bench", Name: sequenceID},
		segment.Options{Mode: mode, Step: segmentStep}))
}

// segmentNext is a chain on a counter in memory, all goroutines on one.
func segmentNext() *subject {
	g := segments(store.NewMemory(), segment.Chain)
	ctx := context.Background()
	return shared("segment chain", func(n int) (uint64, error) {
		var id int64
		var err error
		for range n {
			if id, err = g.Next(ctx); err != nil {
				return 0, err
			}
		}
		return uint64(id), nil
	})
}

// segmentAppend claims batches of numbers of a generator with large segments.
func segmentAppend() *subject {
	g := must(segment.New(store.NewMemory(), store.Key{Namespace: "bench", Name: sequenceID},
		segment.Options{Step: 1000 * segmentStep}))
	return &subject{name: "segment.Append", worker: func(int) work {
		room := make([]int64, 0, batch)
		ctx := context.Background()
		return func(n int) (last uint64, err error) {
			for left := n; left > 0; left -= batch {
				ids, err := segment.Append(ctx, g, room, min(left, batch))
				if err != nil {
					return 0, err
				}
				last = uint64(ids[len(ids)-1])
			}
			return last, nil
		}
	}}
}

// slowCounters answer a reservation after delay.
type slowCounters struct {
	store.Counters
	delay time.Duration
}

func (c slowCounters) Allocate(ctx context.Context, key store.Key, n int64) (int64, error) {
	time.Sleep(c.delay)
	return c.Counters.Allocate(ctx, key, n)
}

// Tail is how long the slowest thousandth of calls takes when two goroutines
// use a generator at full speed, and its store takes some time to answer.
type Tail struct {
	Name    string  `json:"name"`
	Floor   string  `json:"floor"`
	NS      Spread  `json:"ns"` // the 99.9th percentile, the two clock reads around a call included
	FloorNS Spread  `json:"floor_ns"`
	Ratio   Spread  `json:"ratio"`
	Limit   float64 `json:"limit"`
	Pass    bool    `json:"pass"`
}

const (
	tailDelay      = 200 * time.Microsecond
	tailGoroutines = 2
	tailCalls      = 50_000 // per goroutine and round
	tailPercentile = 0.999
	tailAddLimit   = 3
	tailSyncLimit  = 0.01
)

// measureTails compares a chain with a plain atomic add and with segments that
// have no reserve, all three in each round.
func measureTails(rounds int) ([]Tail, error) {
	slow := func(mode segment.Mode) *segment.Generator {
		return segments(slowCounters{store.NewMemory(), tailDelay}, mode)
	}
	chain, add, noReserve := slow(segment.Chain), new(counter), slow(segment.Sync)
	var ns [3][]float64
	for range rounds + 1 { // the first one warms up
		for i, call := range []func() (int64, error){
			func() (int64, error) { return chain.Next(context.Background()) },
			func() (int64, error) { return int64(add.word.Add(1)), nil },
			func() (int64, error) { return noReserve.Next(context.Background()) },
		} {
			v, err := tail(call)
			if err != nil {
				return nil, err
			}
			ns[i] = append(ns[i], v)
		}
	}
	row := func(floor string, floorNS []float64, limit float64) Tail {
		r := spread(ratios(ns[0][1:], floorNS[1:]))
		return Tail{
			"segment chain, P99.9", floor, spread(ns[0][1:]), spread(floorNS[1:]), r, limit, r.Median <= limit,
		}
	}
	return []Tail{row("atomic add", ns[1], tailAddLimit), row("segment sync", ns[2], tailSyncLimit)}, nil
}

// tail is the percentile of single calls on all goroutines. The numbers of
// each goroutine must rise.
func tail(call func() (int64, error)) (float64, error) {
	times := make([]float64, tailGoroutines*tailCalls)
	errs := make([]error, tailGoroutines)
	var wg sync.WaitGroup
	for i := range tailGoroutines {
		wg.Go(func() {
			var last int64
			for j := range tailCalls {
				begin := time.Now()
				id, err := call()
				times[i*tailCalls+j] = float64(time.Since(begin))
				if err == nil && id <= last {
					err = fmt.Errorf("tail: %d after %d", id, last)
				}
				if err != nil {
					errs[i] = err
					return
				}
				last = id
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return 0, err
		}
	}
	slices.Sort(times)
	return quantile(times, tailPercentile), nil
}
