package segment_test

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

// The benchmarks run floor and subject in turn, in short slices, and report
// the median of their ratios (x-floor), so that load on the machine touches
// both alike. limit is the ratio that we hold ourselves to, if there is one.
//
//	go test -run '^$' -bench . -count 6 ./sequence/segment
func against(b *testing.B, limit float64, slice int, floor, subject func(n int)) {
	b.Helper()
	floor(slice)
	subject(slice)
	var subjects, ratios []float64
	for b.Loop() {
		t0 := time.Now()
		floor(slice)
		t1 := time.Now()
		subject(slice)
		f, s := float64(t1.Sub(t0)), float64(time.Since(t1))
		subjects = append(subjects, s)
		ratios = append(ratios, s/f)
	}
	slices.Sort(subjects)
	slices.Sort(ratios)
	b.ReportMetric(subjects[len(subjects)/2]/float64(slice), "ns/op")
	b.ReportMetric(ratios[len(ratios)/2], "x-floor")
	if limit > 0 {
		b.ReportMetric(limit, "limit")
	}
}

func both(work func(n int)) func(n int) {
	return func(n int) {
		var wg sync.WaitGroup
		wg.Go(func() { work(n) })
		work(n)
		wg.Wait()
	}
}

type counter struct {
	_    [64]byte
	word atomic.Uint64
	_    [56]byte
}

func (c *counter) add(n int) {
	for range n {
		c.word.Add(1)
	}
}

var sink int64

func nexts(b *testing.B, g *segment.Generator) func(n int) {
	next(b, g)
	return func(n int) {
		var id int64
		for range n {
			var err error
			if id, err = g.Next(noContext); err != nil {
				b.Error(err)
				return
			}
		}
		if id == -1 {
			b.Error("negative")
		}
	}
}

func BenchmarkNext(b *testing.B) {
	for _, mode := range []segment.Mode{segment.Chain, segment.DoubleBuffer, segment.Sync} {
		one, two := 0.0, 0.0
		if mode == segment.Chain {
			one, two = 1.3, 1.5
		}
		g := newGenerator(b, store.NewMemory(), segment.Options{Mode: mode, Step: 1000})
		work := nexts(b, g)
		floor := new(counter).add
		b.Run(mode.String()+"/one goroutine", func(b *testing.B) { against(b, one, 5_000, floor, work) })
		b.Run(mode.String()+"/two goroutines", func(b *testing.B) { against(b, two, 100_000, both(floor), both(work)) })
	}
}

func BenchmarkNextWithTTL(b *testing.B) {
	g := newGenerator(b, store.NewMemory(), segment.Options{Step: 1000, TTL: time.Hour})
	c := new(counter)
	anchor := time.Now()
	floor := func(n int) {
		for range n {
			sink = int64(time.Since(anchor))
			c.word.Add(1)
		}
	}
	against(b, 1.3, 5_000, floor, nexts(b, g))
}

func BenchmarkNextGroupedByDay(b *testing.B) {
	g := newGenerator(b, store.NewMemory(), segment.Options{Step: 1000, Group: segment.Group{Period: segment.Day}})
	c := new(counter)
	anchor := time.Now()
	floor := func(n int) {
		for range n {
			sink = int64(time.Since(anchor))
			c.word.Add(1)
		}
	}
	against(b, 1.3, 5_000, floor, func(n int) {
		for range n {
			if _, err := g.NextGrouped(noContext); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	g := newGenerator(b, store.NewMemory(), segment.Options{Step: 1_000_000})
	dst := make([]int64, 0, 1000)
	against(b, 0.08, 5_000, new(counter).add, func(n int) {
		for range n / 1000 {
			if _, err := segment.Append(noContext, g, dst[:0], 1000); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// The tail of a call when a fetch takes 200 µs and two goroutines run at full
// speed: P99.9 of single calls, in multiples of an atomic add's in the same
// pass. The clock reads around a call are in both.
func BenchmarkTail(b *testing.B) {
	for _, mode := range []segment.Mode{segment.Chain, segment.DoubleBuffer, segment.Sync} {
		b.Run(mode.String(), func(b *testing.B) {
			f := newFake()
			f.delay = 200 * time.Microsecond
			g := newGenerator(b, f, segment.Options{Mode: mode, Step: 1000})
			next(b, g)
			c := new(counter)
			tail := func(call func()) float64 {
				var lists [2][]time.Duration
				var wg sync.WaitGroup
				for i := range lists {
					wg.Go(func() {
						list := make([]time.Duration, 0, 50_000)
						for range cap(list) {
							start := time.Now()
							call()
							list = append(list, time.Since(start))
						}
						lists[i] = list
					})
				}
				wg.Wait()
				all := slices.Concat(lists[0], lists[1])
				slices.Sort(all)
				return float64(all[len(all)*999/1000])
			}
			var subjects, ratios []float64
			for b.Loop() {
				floor := tail(func() { c.word.Add(1) })
				subject := tail(func() { _, _ = g.Next(noContext) })
				subjects = append(subjects, subject)
				ratios = append(ratios, subject/floor)
			}
			slices.Sort(subjects)
			slices.Sort(ratios)
			b.ReportMetric(subjects[len(subjects)/2], "p99.9-ns")
			b.ReportMetric(ratios[len(ratios)/2], "x-floor")
		})
	}
}
