package segment_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
)

// hammer calls Next, Append and Take from many goroutines until each has n
// ids, and returns each goroutine's.
func hammer(t testing.TB, g *segment.Generator, goroutines, n int) [][]int64 {
	lists := make([][]int64, goroutines)
	var wg sync.WaitGroup
	for i := range lists {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 1))
			mine := make([]int64, 0, n)
			for len(mine) < n {
				var err error
				switch random.IntN(8) {
				case 0:
					mine, err = segment.Append(background, g, mine, min(1+random.IntN(100), n-len(mine)))
				case 1:
					var r segment.Run
					if r, err = g.Take(background, min(1+random.IntN(100), n-len(mine))); err == nil {
						for id := r.First; id <= r.Last; id++ {
							mine = append(mine, id)
						}
					}
				default:
					var id int64
					if id, err = g.Next(background); err == nil {
						mine = append(mine, id)
					}
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
			lists[i] = mine
		})
	}
	wg.Wait()
	return lists
}

// Exactly 1 to N, no gap, while others look at the statistics and close.
func TestHammer(t *testing.T) {
	n := 60_000
	if raceEnabled || testing.Short() {
		n = 16_000
	}
	for _, mode := range modes {
		for _, step := range []int64{1, 10, 1000} {
			for _, goroutines := range []int{1, 2, 4, 16} {
				t.Run(fmt.Sprintf("%v/step %d/%d goroutines", mode, step, goroutines), func(t *testing.T) {
					f := newFake()
					g := newGenerator(t, f, segment.Options{Mode: mode, Step: step, TTL: []time.Duration{0, time.Hour}[goroutines%2]})
					amount := n
					if step == 1 {
						amount = n / 10
					}
					done := make(chan struct{})
					var watch sync.WaitGroup
					watch.Go(func() {
						for {
							select {
							case <-done:
								return
							default:
								s := g.Stats()
								if s.Given > uint64(f.counter("orders"))+1 { // -1 without a counter
									t.Errorf("%d given out of %d", s.Given, f.counter("orders"))
									return
								}
								time.Sleep(time.Millisecond)
							}
						}
					})
					lists := hammer(t, g, goroutines, amount/goroutines)
					close(done)
					watch.Wait()
					requireExactly(t, lists, amount/goroutines*goroutines)
					require.NoError(t, g.Close())
					s := g.Stats()
					require.EqualValues(t, amount/goroutines*goroutines, s.Given)
					require.Equal(t, 1, f.flights())
				})
			}
		}
	}
}

// Segments expire all the while: there are gaps, and neither a duplicate nor an
// id that goes back.
func TestHammerWithExpiry(t *testing.T) {
	n := 20_000
	if raceEnabled || testing.Short() {
		n = 2_000
	}
	for _, mode := range modes {
		f := newFake()
		g := newGenerator(t, f, segment.Options{Mode: mode, Step: 500, TTL: time.Millisecond})
		lists := hammer(t, g, 8, n)
		requireRising(t, lists)
		require.NoError(t, g.Close())
		s := g.Stats()
		require.EqualValues(t, 8*n, s.Given)
		require.LessOrEqual(t, s.Given+s.Wasted.TTL+s.Current+s.Reserve, uint64(f.counter("orders")))
	}
}
