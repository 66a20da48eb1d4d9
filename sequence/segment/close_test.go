package segment_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

// Generators are warmed, used and closed at once, by many. Nobody gets an error,
// a number twice, or one that is lower than the last.
func TestWarmNextAndCloseAtOnce(t *testing.T) {
	rounds := 300
	if raceEnabled || testing.Short() {
		rounds = 60
	}
	f := newFake()
	f.delay = 100 * time.Microsecond
	var mu sync.Mutex
	seen := map[int64]bool{}
	for i := range rounds {
		g, err := segment.New(f, orders, segment.Options{Mode: modes[i%3], Step: 5})
		require.NoError(t, err)
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if err := g.Warm(background); err != nil {
					t.Error(err)
				}
			})
			wg.Go(func() {
				time.Sleep(rand.N(time.Millisecond))
				if err := g.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		for range 4 {
			wg.Go(func() {
				last := int64(0)
				for range 10 {
					id, err := g.Next(background)
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					if seen[id] || id <= last {
						t.Errorf("%d twice, or after %d", id, last)
					}
					seen[id], last = true, id
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		require.NoError(t, g.Close())
	}
	require.Len(t, seen, rounds*4*10)
}

// The same with partitions that are made, dropped and made anew.
func TestPartitionsComeAndGo(t *testing.T) {
	calls := 2000
	if raceEnabled || testing.Short() {
		calls = 500
	}
	p := newProvider(t, store.NewMemory(), segment.ProviderOptions{Generators: map[string]segment.Options{"orders": {Step: 3}}})
	var mu sync.Mutex
	seen := map[[2]uint64]bool{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range calls {
				number := rand.Uint64N(3)
				switch rand.IntN(20) {
				case 0:
					p.Drop("orders", number)
				case 1:
					if err := p.Warm(background); err != nil {
						t.Error(err)
					}
				}
				g, err := p.Partition("orders", number)
				if err != nil {
					t.Error(err)
					return
				}
				id, err := g.Next(background)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				if key := [2]uint64{number, uint64(id)}; seen[key] {
					t.Errorf("%d twice in partition %d", id, number)
				} else {
					seen[key] = true
				}
				mu.Unlock()
			}
		})
	}
	time.Sleep(time.Millisecond)
	require.NoError(t, p.Close())
	wg.Wait()
	require.Len(t, seen, 4*calls)
}
