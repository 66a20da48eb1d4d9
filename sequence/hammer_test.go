package sequence_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
)

// hammer calls Next, Append and NextAt from many goroutines until each has n
// ids, and returns each goroutine's ids.
func hammer(f *fixture, s *sequence.Sequence, goroutines, n int) [][]int64 {
	ids := make([][]int64, goroutines)
	var wg sync.WaitGroup
	for g := range ids {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(g), 1))
			mine := make([]int64, 0, n)
			for len(mine) < n {
				var id int64
				var err error
				switch random.IntN(8) {
				case 0:
					mine, err = sequence.Append(context.Background(), s, mine, min(1+random.IntN(100), n-len(mine)), &f.caller)
				case 1:
					if id, err = s.NextAt(f.space.Settings().Clock.Read().Wall, &f.caller); err == nil {
						mine = append(mine, id)
					}
				default:
					if id, err = s.Next(context.Background(), &f.caller); err == nil {
						mine = append(mine, id)
					}
				}
				if err != nil {
					f.t.Error(err)
					return
				}
			}
			ids[g] = mine
		})
	}
	wg.Wait()
	return ids
}

// verify checks that ids are of the layout and rise per goroutine, and returns
// them all in order, no two equal.
func verify(t *testing.T, layout bits.Layout, node, partition uint64, lists [][]int64) []int64 {
	t.Helper()
	var all []int64
	for _, ids := range lists {
		for i, id := range ids {
			parts, err := layout.Unpack(id)
			if err != nil || parts.Node != node || parts.Partition != partition {
				t.Fatalf("%d is %+v (%v), want node %d, partition %d", id, parts, err, node, partition)
			}
			if i > 0 && id <= ids[i-1] {
				t.Fatalf("%d after %d", id, ids[i-1])
			}
		}
		all = append(all, ids...)
	}
	slices.Sort(all)
	for i := 1; i < len(all); i++ {
		if all[i] == all[i-1] {
			t.Fatalf("%d twice", all[i])
		}
	}
	return all
}

func TestHammer(t *testing.T) {
	n := 40_000
	if raceEnabled || testing.Short() {
		n = 4_000
	}
	for _, sequenceBits := range []int{1, 2, 5, 12, 20} {
		for _, goroutines := range []int{1, 2, 4, 16} {
			for _, name := range []string{"frozen", "portable", "counter"} {
				t.Run(fmt.Sprintf("%d bits/%d goroutines/%s clock", sequenceBits, goroutines, name), func(t *testing.T) {
					layout := bits.Layout{Partition: 2, Time: 40, Node: 21 - sequenceBits, Sequence: sequenceBits}
					frozen := name == "frozen"
					f := newFixture(t, layout, func(s *sequence.Settings) {
						switch name {
						case "portable":
							withStrategy(clock.Portable)(s)
						case "counter":
							s.Clock = clock.Default() // which knows the rate by now
						}
					})
					node := layout.MaxNode()
					lists := hammer(f, f.sequence("orders", node, 2), goroutines, n/goroutines)
					all := verify(t, layout, node, 2, lists)
					require.Len(t, all, n/goroutines*goroutines)
					if frozen {
						requireOverflows(t, f, all)
					}
				})
			}
		}
	}
}

// requireOverflows holds the events against the ids, all made while the clock
// stood at start: no number may be left out, and each time after the first was
// entered by one overflow.
func requireOverflows(t *testing.T, f *fixture, all []int64) {
	t.Helper()
	first, last := f.parts(all[0]), f.parts(all[len(all)-1])
	require.EqualValues(t, time.Hour/time.Millisecond, first.Time)
	require.Zero(t, first.Sequence)
	per := f.space.Settings().Layout.IDsPerUnit()
	require.EqualValues(t, len(all)-1, (last.Time-first.Time)*per+last.Sequence, "dense")
	count := uint64(0)
	for _, o := range f.events.take().overflows {
		count += uint64(o.Count)
		require.Equal(t, first.Time, o.Time)
	}
	require.Equal(t, last.Time-first.Time, count)
}

// Each caller is refused or given an id, while the limit moves with the clock.
func TestHammerAtTheLimit(t *testing.T) {
	const goroutines = 8
	layout := layoutWith(4)
	for _, policy := range []sequence.AheadPolicy{sequence.Wait, sequence.Fail} {
		f := newFixture(t, layout, bounded(policy, time.Millisecond))
		s := f.sequence("orders", 3, 0)
		lists := make([][]int64, goroutines)
		var calls, mover sync.WaitGroup
		for g := range lists {
			calls.Go(func() {
				for len(lists[g]) < 100 {
					id, err := s.Next(context.Background(), &f.caller)
					if err == nil {
						lists[g] = append(lists[g], id)
						if now := f.clock.Read().Reference.Sub(f.start); f.space.Settings().Timescale.Time(uint64(id)>>22).Sub(f.start) > now.Truncate(time.Millisecond)+time.Millisecond {
							t.Errorf("%d is beyond MaxAhead at %v", id, now)
							return
						}
					}
				}
			})
		}
		done := make(chan struct{})
		mover.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					f.clock.Advance(500 * time.Microsecond)
				}
			}
		})
		calls.Wait()
		close(done)
		mover.Wait()
		require.Len(t, verify(t, layout, 3, 0, lists), 100*goroutines)
	}
}

// Two goroutines take 50 million ids each of one sequence.
func TestHammerHundredMillion(t *testing.T) {
	for _, strategy := range strategies {
		t.Run(strategy.String(), func(t *testing.T) { hammerMillions(t, withStrategy(strategy)) })
	}
}

func hammerMillions(t *testing.T, change func(*sequence.Settings)) {
	n := 50_000_000
	if raceEnabled || testing.Short() {
		n = 500_000
	}
	layout := layoutWith(11) // so few that generation drives time, and leaves no gaps
	f := newFixture(t, layout, change)
	s := f.sequence("orders", 9, 0)
	word := func(id int64) uint64 { return uint64(id)>>22<<11 | uint64(id)&2047 }
	first := word(f.next(s))

	var seen [2]wordSet
	var wg sync.WaitGroup
	for g := range seen {
		seen[g] = make(wordSet)
		wg.Go(func() {
			last := first
			for range n {
				id, err := s.Next(context.Background(), new(sequence.Caller))
				w := word(id)
				if err != nil || w <= last || uint64(id)>>11&2047 != 9 {
					t.Errorf("id %d, %v: word %d after %d", id, err, w, last)
					return
				}
				last = w
				seen[g].add(w)
			}
		})
	}
	wg.Wait()
	for number, page := range seen[0] {
		other := seen[1][number]
		if other == nil {
			continue
		}
		for i := range page {
			if page[i]&other[i] != 0 {
				t.Fatalf("both goroutines were given a word near %d", (number*pageWords+uint64(i))*64)
			}
		}
	}
}

// wordSet is a set of words in pages, since a slow machine leaves gaps.
type wordSet map[uint64]*[pageWords]uint64

const pageWords = 1 << 12

func (s wordSet) add(w uint64) {
	page := s[w/64/pageWords]
	if page == nil {
		page = new([pageWords]uint64)
		s[w/64/pageWords] = page
	}
	page[w/64%pageWords] |= 1 << (w % 64)
}
