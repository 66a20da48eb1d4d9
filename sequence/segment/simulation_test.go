package segment_test

import (
	"errors"
	"flag"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/storetest"
)

var seedFlag = flag.Uint64("seed", 0, "repeat the simulations of this seed")

func seed(t *testing.T) uint64 {
	s := *seedFlag
	if s == 0 {
		s = uint64(time.Now().UnixNano())
	}
	t.Logf("repeat with -seed %d", s)
	return s
}

// calamity is a store on which most things go wrong now and then.
func calamity(seed uint64) storetest.Plan {
	return storetest.Random(seed,
		storetest.Chance{Fault: storetest.Fault{Kind: storetest.FailBefore}, P: 0.05},
		storetest.Chance{Fault: storetest.Fault{Kind: storetest.FailAfter}, P: 0.05},
		storetest.Chance{Fault: storetest.Fault{Kind: storetest.LoseRequest}, P: 0.03},
		storetest.Chance{Fault: storetest.Fault{Kind: storetest.LoseReply}, P: 0.05},
		storetest.Chance{Fault: storetest.Fault{Kind: storetest.Hang}, P: 0.02},
		storetest.Chance{Fault: storetest.Fault{Kind: storetest.HangAfter}, P: 0.02},
		storetest.Chance{Fault: storetest.Fault{Kind: storetest.Slow, Delay: 30 * time.Millisecond}, P: 0.3},
	)
}

// ledger notes each number and finds the second time.
type ledger struct {
	mu   sync.Mutex
	seen map[segment.Grouped]bool
}

func (l *ledger) note(t *testing.T, v segment.Grouped) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen == nil {
		l.seen = map[segment.Grouped]bool{}
	}
	if l.seen[v] {
		t.Errorf("%+v twice", v)
	}
	l.seen[v] = true
}

// Instances of all kinds share a counter in a store that fails in every way
// but going back, and restart at random.
func TestSimulatedInstances(t *testing.T) {
	first := seed(t)
	for i := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			counters := storetest.NewFaulty(store.NewMemory(), calamity(first+i))
			var l ledger
			var wg sync.WaitGroup
			byDay := i%2 == 0
			for instance := range 6 {
				wg.Go(func() {
					random := rand.New(rand.NewPCG(first+i, uint64(instance)))
					for range 4 { // lives
						o := segment.Options{
							Mode: modes[random.IntN(3)], Step: 1 + random.Int64N(50), MaxPrefetchDistance: 8,
							Clock:        clock.NewSystem(clock.Options{}),
							NoBackground: random.IntN(4) == 0,
						}
						if random.IntN(3) == 0 {
							o.TTL = 500 * time.Millisecond
						}
						if byDay {
							o.Group.Period = segment.Day
						}
						live(t, &l, newGenerator(t, counters, o), random)
					}
				})
			}
			wg.Wait()
			require.Greater(t, len(l.seen), 1000)
		})
	}
}

// live makes numbers for a day or so, mostly around midnight, on two
// goroutines.
func live(t *testing.T, l *ledger, g *segment.Generator, random *rand.Rand) {
	calls := 100 + random.IntN(400)
	midnight := time.Now().Truncate(24 * time.Hour).Add(24 * time.Hour)
	time.Sleep(time.Until(midnight) - time.Duration(random.IntN(4000))*time.Millisecond)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			last := segment.Grouped{Day: -1}
			for range calls {
				v, err := g.NextGrouped(noContext)
				if err != nil {
					if errors.Is(err, segment.ErrRolledBack) {
						t.Error(err)
					}
					time.Sleep(20 * time.Millisecond)
					continue
				}
				if v.Day == last.Day && v.Value <= last.Value || v.Day < last.Day {
					t.Errorf("%+v after %+v", v, last)
				}
				last = v
				l.note(t, v)
				time.Sleep(10 * time.Millisecond)
			}
		})
	}
	wg.Wait()
	if err := g.Close(); err != nil {
		t.Error(err)
	}
}

// One instance with an audit restarts and meets a store that has gone back or
// lost its counter. It may stop; it repeats nothing.
func TestSimulatedRollbacks(t *testing.T) {
	first := seed(t)
	stopped := 0
	for i := range uint64(100) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(first, i))
			counters := storetest.NewFaulty(store.NewMemory(), calamity(first+i))
			a := segment.NewAudit(store.NewMemory())
			var l ledger
			for range 10 { // lives
				g := newGenerator(t, counters, segment.Options{Mode: modes[random.IntN(3)], Step: 1 + random.Int64N(50), Audit: a})
				for range random.IntN(300) {
					v, err := g.NextGrouped(noContext)
					switch {
					case err == nil:
						l.note(t, v)
					case errors.Is(err, segment.ErrRolledBack):
						stopped++
						counters.SetPlan(nil) // the operator sees to the store first
						r, err := segment.PlanRecovery(background, counters, orders, segment.RecoverOptions{
							Instances: 1, Step: 50, PrefetchDistance: 4, Audit: a,
						})
						require.NoError(t, err)
						_, err = r.Apply(background, counters)
						require.NoError(t, err)
						counters.SetPlan(calamity(random.Uint64()))
						g.Resume()
					default:
						time.Sleep(time.Second)
					}
					switch random.IntN(200) {
					case 0:
						require.NoError(t, counters.Snapshot(background))
					case 1:
						require.NoError(t, counters.Restore(background))
					case 2:
						counters.Vanish(orders)
					}
				}
				require.NoError(t, g.Close())
			}
		})
	}
	require.Greater(t, stopped, 100)
}
