package main

import (
	"fmt"
	"runtime"
	"time"

	"github.com/stampid/go-stamp/stamp"
)

const (
	memoryIDs        = 1000
	memoryPartitions = 1000
	memoryLimit      = 320 // bytes per sequence
)

// perSequence makes a sequence in each of the partitions of each of the ids,
// uses every one again, and answers how many bytes of heap each holds.
func perSequence(ids, partitions int) (float64, error) {
	names := sequenceIDs(ids)
	o := layout(stamp.Layout{Partition: 10, Time: 41, Sequence: 12})
	c, err := stamp.NewConfig(o)
	if err != nil {
		return 0, err
	}
	first := make([]stamp.ID, ids*partitions)
	before := heap()
	for i, name := range names {
		for p := range partitions {
			if first[i*partitions+p], err = stamp.NextIn(name, c, uint64(p)); err != nil {
				return 0, err
			}
		}
	}
	held := heap() - before
	if live := o.Registry.Len(); live != ids*partitions {
		return 0, fmt.Errorf("%d live sequences, not %d", live, ids*partitions)
	}
	for i, name := range names {
		for p := range partitions {
			id, err := stamp.NextIn(name, c, uint64(p))
			if err != nil {
				return 0, err
			}
			if before := first[i*partitions+p]; before <= 0 || id <= before {
				return 0, fmt.Errorf("sequence %s in partition %d: %d after %d", name, p, id, before)
			}
		}
	}
	runtime.KeepAlive(first)
	return float64(held) / float64(ids*partitions), nil
}

// heap is the bytes that are in use once garbage is gone.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // the first one may leave what was being swept
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// growthSteps are how many sequence ids are made one by one. A registry that
// copied what it has for each new id would cost 10 times as much per id at
// each step; growthLimit is for the last step against the first.
var growthSteps = []int{1_000, 10_000, 100_000}

const growthLimit = 10

// growth is the time per sequence id, for each of the steps, with a fresh
// registry each.
func growth(names []string) ([]float64, error) {
	ns := make([]float64, len(growthSteps))
	for i, n := range growthSteps {
		c, err := stamp.NewConfig(options())
		if err != nil {
			return nil, err
		}
		runtime.GC()
		begin := time.Now()
		for _, name := range names[:n] {
			if id, err := stamp.Next(name, c); err != nil || id == 0 {
				return nil, fmt.Errorf("%s: id %d: %w", name, id, err)
			}
		}
		ns[i] = float64(time.Since(begin)) / float64(n)
	}
	return ns, nil
}

func sequenceIDs(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("tenant-%06d", i)
	}
	return names
}
