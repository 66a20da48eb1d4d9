package segment_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

var (
	orders     = store.Key{Namespace: "shop", Name: "orders"}
	background = context.Background()
	noContext  context.Context
)

var modes = []segment.Mode{segment.Sync, segment.DoubleBuffer, segment.Chain}

// fake is a memory store whose calls can be counted, slowed, failed and hung.
type fake struct {
	*store.Memory
	mu          sync.Mutex
	delay       time.Duration // of each allocation
	err         error         // of each allocation that isn't made
	lost        bool          // allocations are made, but answered by err
	hang        chan struct{} // allocations wait for it, and ignore their context
	allocations []int64       // sizes of those that were asked for
	creations   int
	inFlight    int
	mostFlights int
}

func newFake() *fake { return &fake{Memory: store.NewMemory()} }

func (f *fake) set(change func(*fake)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

func (f *fake) calls() []int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]int64(nil), f.allocations...)
}

// flights is how many allocations were under way at once, at most.
func (f *fake) flights() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.mostFlights
}

func (f *fake) created() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.creations
}

func (f *fake) Create(ctx context.Context, key store.Key, start int64) (bool, error) {
	f.set(func(f *fake) { f.creations++ })
	return f.Memory.Create(ctx, key, start)
}

func (f *fake) Allocate(ctx context.Context, key store.Key, n int64) (int64, error) {
	f.mu.Lock()
	if len(f.allocations) < 4096 { // a test of growth makes more
		f.allocations = append(f.allocations, n)
	}
	f.inFlight++
	f.mostFlights = max(f.mostFlights, f.inFlight)
	delay, err, lost, hang := f.delay, f.err, f.lost, f.hang
	f.mu.Unlock()
	defer f.set(func(f *fake) { f.inFlight-- })
	if hang != nil {
		<-hang
		return f.Memory.Allocate(background, key, n)
	}
	if delay > 0 {
		select {
		case <-time.After(delay):
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	if err != nil {
		if lost {
			_, _ = f.Memory.Allocate(ctx, key, n)
		}
		return 0, err
	}
	return f.Memory.Allocate(ctx, key, n)
}

// counter is where a counter stands, -1 if there is none.
func (f *fake) counter(name string) int64 {
	v, ok := f.Contents().Counters[store.Key{Namespace: "shop", Name: name}.String()]
	if !ok {
		return -1
	}
	return v
}

func newGenerator(t testing.TB, counters store.Counters, o segment.Options) *segment.Generator {
	t.Helper()
	g, err := segment.New(counters, orders, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, g.Close()) })
	return g
}

func next(t testing.TB, g *segment.Generator) int64 {
	t.Helper()
	id, err := g.Next(background)
	require.NoError(t, err)
	return id
}

func nextGrouped(t testing.TB, g *segment.Generator) segment.Grouped {
	t.Helper()
	v, err := g.NextGrouped(background)
	require.NoError(t, err)
	return v
}

// gather makes n ids on each of many goroutines, and returns each one's.
func gather(t testing.TB, g *segment.Generator, goroutines, n int) [][]int64 {
	lists := make([][]int64, goroutines)
	var wg sync.WaitGroup
	for i := range lists {
		wg.Go(func() {
			for range n {
				id, err := g.Next(background)
				if err != nil {
					t.Error(err)
					return
				}
				lists[i] = append(lists[i], id)
			}
		})
	}
	wg.Wait()
	return lists
}

// requireExactly checks that lists rise and hold exactly 1 to n together.
func requireExactly(t testing.TB, lists [][]int64, n int) {
	t.Helper()
	seen := make([]bool, n+1)
	count := 0
	for _, list := range lists {
		last := int64(0)
		for _, id := range list {
			if id <= last || id > int64(n) || seen[id] {
				t.Fatalf("%d after %d, or above %d, or twice", id, last, n)
			}
			seen[id] = true
			last = id
			count++
		}
	}
	require.Equal(t, n, count)
}
