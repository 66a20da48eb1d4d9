package sequence

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// A hash with few values makes long chains.
func poorHash(key int) uint64 { return uint64(key % 7) }

func TestTableEqualsMap(t *testing.T) {
	for name, hash := range map[string]func(int) uint64{
		"good": func(key int) uint64 { return hashBase(uint64(key)) },
		"poor": poorHash,
		"one":  func(int) uint64 { return 1<<64 - 1 },
	} {
		random := rand.New(rand.NewPCG(1, 2))
		var tab table[int, int]
		want := map[int]*int{}
		require.Nil(t, tab.get(0, 0), "the zero value is empty")
		tab.remove(0, 0)
		tab.each(func(*int) { t.Fatal("empty") })

		for range 5000 {
			key := random.IntN(300)
			if value := want[key]; value == nil {
				want[key] = &key
				tab.add(hash(key), key, &key)
			} else if random.IntN(2) == 0 {
				delete(want, key)
				tab.remove(hash(key), key)
				tab.remove(hash(key), key) // removing what isn't there does nothing
			}
			require.Equal(t, len(want), tab.len, name)
			probe := random.IntN(300)
			require.Same(t, any(want[probe]), any(tab.get(hash(probe), probe)), name)
		}
		got := map[int]*int{}
		tab.each(func(v *int) { got[*v] = v })
		require.Equal(t, want, got, name)
	}
}

// What was added before a reader looks is found, while others are added and
// removed and the table grows.
func TestTableReadersNeverMissWhatIsThere(t *testing.T) {
	const keys = 20_000
	for _, hash := range []func(int) uint64{func(key int) uint64 { return hashBase(uint64(key)) }, func(key int) uint64 { return uint64(key % 997) }} {
		var tab table[int, int]
		var added atomic.Int64 // even keys below it are there for good
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Go(func() {
				random := rand.New(rand.NewPCG(uint64(g), 3))
				for {
					n := int(added.Load())
					if n > 0 {
						key := random.IntN(n) &^ 1
						if v := tab.get(hash(key), key); v == nil || *v != key {
							t.Errorf("%d of %d not found", key, n)
							return
						}
					}
					if n == keys {
						return
					}
				}
			})
		}
		for key := range keys {
			tab.add(hash(key), key, &key)
			if key&1 == 0 {
				added.Store(int64(key + 1))
			} else {
				tab.remove(hash(key), key)
			}
		}
		added.Store(keys)
		wg.Wait()
		require.Equal(t, keys/2, tab.len)
	}
}
