// The benchmarks of the hot paths, each with its floor in the same run:
//
//	go test -bench . -count 6 .
//
// A benchmark runs floor and subject in turn, in short slices, and reports the
// median of their ratios (x-floor): load on the machine then touches both
// alike. limit is the ratio that we hold ourselves to.
package gostamp_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jxskiss/base62"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/node/lease"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

// work does something n times.
type work func(n int)

// against reports what subject costs, as ns/op and in multiples of floor.
func against(b *testing.B, limit float64, slice int, floor, subject work) {
	b.Helper()
	floor(slice)
	subject(slice)
	var floors, subjects, ratios []float64
	for b.Loop() {
		t0 := time.Now()
		floor(slice)
		t1 := time.Now()
		subject(slice)
		f, s := float64(t1.Sub(t0)), float64(time.Since(t1))
		floors = append(floors, f)
		subjects = append(subjects, s)
		ratios = append(ratios, s/f)
	}
	b.ReportMetric(median(subjects)/float64(slice), "ns/op")
	b.ReportMetric(median(floors)/float64(slice), "floor-ns")
	b.ReportMetric(median(ratios), "x-floor")
	b.ReportMetric(limit, "limit")
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// both does the work on two goroutines at once.
func both(w work) work {
	return func(n int) {
		var wg sync.WaitGroup
		wg.Go(func() { w(n) })
		w(n)
		wg.Wait()
	}
}

const (
	slice     = 5_000   // of one goroutine's work
	longSlice = 100_000 // long against starting a goroutine
)

// BenchmarkNextFenced compares ids under a fence with ids without one.
func BenchmarkNextFenced(b *testing.B) {
	f, err := fence.New(store.NewMemory(), fence.Options{Space: "bench"})
	require.NoError(b, err)
	defer func() { _ = f.Close(context.Background()) }()
	againstPlain(b, stamp.Options{Node: node.Static(3), Fence: f})
}

// BenchmarkNextLeased does so with a leased node number, which has a fence too.
func BenchmarkNextLeased(b *testing.B) {
	l, err := lease.Acquire(context.Background(), store.NewMemory(), lease.Options{Space: "bench"})
	require.NoError(b, err)
	defer func() { _ = l.Close(context.Background()) }()
	againstPlain(b, stamp.Options{Node: l})
}

func againstPlain(b *testing.B, o stamp.Options) {
	b.Helper()
	o.Registry = sequence.NewRegistry()
	cfg, err := stamp.NewConfig(o)
	require.NoError(b, err)
	safe, err := stamp.NewGenerator("orders", cfg)
	require.NoError(b, err)
	plain, _ := generator(b)
	next := func(gen *stamp.Generator) work {
		return func(n int) {
			var id stamp.ID
			for range n {
				id, _ = gen.Next()
			}
			sinkID = id
		}
	}
	against(b, 1.15, slice, next(plain), next(safe))
}

func generator(b *testing.B) (*stamp.Generator, *stamp.Config) {
	cfg, err := stamp.NewConfig(stamp.Options{
		Node: node.Static(3), Codec: encode.Base62, Prefix: "ord_", Registry: sequence.NewRegistry(),
	})
	require.NoError(b, err)
	gen, err := stamp.NewGenerator("orders", cfg)
	require.NoError(b, err)
	return gen, cfg
}

// The floor of an id whose time is right: a monotonic clock read and an atomic
// add. The words are padded, like a sequence's, to a cache line of their own.
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

func (c *counter) clockAndAdd(n int) {
	anchor := time.Now()
	for range n {
		sinkDuration = time.Since(anchor)
		c.word.Add(1)
	}
}

var (
	sinkDuration time.Duration
	sinkID       stamp.ID
	sinkNumber   uint64
	sinkBytes    []byte
	sinkString   string
)

func BenchmarkNext(b *testing.B) {
	gen, cfg := generator(b)
	next := func(n int) {
		var id stamp.ID
		for range n {
			id, _ = gen.Next()
		}
		if id == 0 {
			b.Fatal("no id")
		}
	}
	lookUp := func(n int) {
		var id stamp.ID
		for range n {
			id, _ = stamp.Next("orders", cfg)
		}
		if id == 0 {
			b.Fatal("no id")
		}
	}
	b.Run("Generator", func(b *testing.B) {
		against(b, 1.20, slice, new(counter).clockAndAdd, next)
	})
	b.Run("Generator/2-goroutines", func(b *testing.B) {
		against(b, 1.20, longSlice, both(new(counter).clockAndAdd), both(next))
	})
	b.Run("ByName", func(b *testing.B) {
		// The floor is Generator.Next and 1.2 adds.
		c := new(counter)
		against(b, 1, slice, func(n int) { next(n); c.add(n + n/5) }, lookUp)
	})
}

func BenchmarkAppend1000(b *testing.B) {
	gen, _ := generator(b)
	var ids []stamp.ID
	against(b, 0.08, 20_000, new(counter).add, func(n int) {
		for range n / 1000 {
			ids, _ = gen.Append(context.Background(), ids[:0], 1000)
		}
		if len(ids) != 1000 {
			b.Fatal("no ids")
		}
	})
}

// Numbers of a shared counter: the default mode, with 1000 a segment.
func BenchmarkSegment(b *testing.B) {
	chain := func(b *testing.B, step int64) *segment.Generator {
		g, err := segment.New(store.NewMemory(), store.Key{Namespace: "bench", Name: "orders"}, segment.Options{Step: step})
		require.NoError(b, err)
		return g
	}
	next := func(b *testing.B) work {
		g := chain(b, 1000)
		return func(n int) {
			for range n {
				if _, err := g.Next(context.Background()); err != nil {
					b.Error(err)
					return
				}
			}
		}
	}
	b.Run("Next", func(b *testing.B) { against(b, 1.3, slice, new(counter).add, next(b)) })
	b.Run("Next/2-goroutines", func(b *testing.B) {
		against(b, 1.5, longSlice, both(new(counter).add), both(next(b)))
	})
	b.Run("Append1000", func(b *testing.B) {
		g := chain(b, 1_000_000)
		var ids []stamp.ID
		against(b, 0.08, 20_000, new(counter).add, func(n int) {
			for range n / 1000 {
				ids, _ = segment.Append(context.Background(), g, ids[:0], 1000)
			}
			if len(ids) != 1000 {
				b.Fatal("no ids")
			}
		})
	})
}

func coder(b *testing.B) encode.Coder {
	c, err := encode.Base62.Coder(63)
	require.NoError(b, err)
	return c
}

const sorted62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

func BenchmarkEncode(b *testing.B) {
	_, cfg := generator(b)
	const id = 295913926632165376
	buf := make([]byte, 0, 32)
	peer := base62.NewEncoding(sorted62)
	appendPeer := func(n int) {
		for i := range uint64(n) {
			buf = peer.AppendUint(buf[:0], id+i)
		}
	}
	b.Run("Base62", func(b *testing.B) {
		c := coder(b)
		against(b, 0.45, slice, appendPeer, func(n int) {
			for i := range uint64(n) {
				buf, _ = c.Append(buf[:0], id+i)
			}
		})
	})
	b.Run("AppendEncode", func(b *testing.B) { // with a prefix, which the floor has not
		against(b, 1, slice, appendPeer, func(n int) {
			for i := range n {
				buf, _ = cfg.AppendEncode(buf[:0], id+stamp.ID(i))
			}
		})
	})
	b.Run("Encode", func(b *testing.B) {
		against(b, 1.9, slice, func(n int) {
			for range n {
				sinkBytes = make([]byte, 16)
			}
		}, func(n int) {
			for i := range n {
				sinkString, _ = cfg.Encode(id + stamp.ID(i))
			}
		})
	})
}

func BenchmarkDecode(b *testing.B) {
	_, cfg := generator(b)
	var texts [1024]string
	var digits [1024][]byte
	for i := range texts {
		texts[i], _ = cfg.Encode(stamp.ID(295913926632165376 + i*7919))
		digits[i] = []byte(texts[i][len("ord_"):])
	}
	peer := base62.NewEncoding(sorted62)
	parsePeer := func(n int) {
		for i := range n {
			sinkNumber, _ = peer.ParseUint(digits[i&1023])
		}
	}
	b.Run("Base62", func(b *testing.B) {
		c := coder(b)
		against(b, 0.75, slice, parsePeer, func(n int) {
			for i := range n {
				sinkNumber, _ = c.Parse(digits[i&1023])
			}
		})
	})
	b.Run("Decode", func(b *testing.B) { // with a prefix, which the floor has not
		against(b, 1.5, slice, parsePeer, func(n int) {
			for i := range n {
				sinkID, _ = cfg.Decode(texts[i&1023])
			}
		})
	})
}
