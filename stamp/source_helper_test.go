package stamp_test

import (
	"context"
	"sync"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

var (
	background = context.Background()
	none       context.Context
)

// generators are the options of a provider's generators, by name.
type generators map[string]segment.Options

func newProvider(t testing.TB, counters store.Counters, all generators) *segment.Provider {
	t.Helper()
	p, err := segment.NewProvider(counters, segment.ProviderOptions{
		Namespace: "shop", Defaults: segment.Options{Mode: segment.Sync}, Generators: all,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return p
}

// daily are the options of a generator that begins anew each day.
func daily(c clock.Clock, zone *time.Location) segment.Options {
	return segment.Options{Clock: c, Group: segment.Group{Period: segment.Day, Zone: zone}}
}

func loadZone(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	require.NoError(t, err)
	return zone
}

func counters(m *store.Memory) map[string]int64 { return m.Contents().Counters }

// hung is a store whose allocations wait for their context.
type hung struct{ *store.Memory }

func (h hung) Allocate(ctx context.Context, _ store.Key, _ int64) (int64, error) {
	<-ctx.Done()
	return 0, ctx.Err()
}

// hammer calls on many goroutines, each until it has n ids, and checks that
// each goroutine's rise and none came twice.
func hammer(t *testing.T, goroutines, n int, call func(goroutine int, dst []stamp.ID) ([]stamp.ID, error)) map[stamp.ID]bool {
	t.Helper()
	lists := make([][]stamp.ID, goroutines)
	var wg sync.WaitGroup
	for i := range lists {
		wg.Go(func() {
			var mine []stamp.ID
			for len(mine) < n {
				var err error
				if mine, err = call(i, mine); err != nil {
					t.Error(err)
					return
				}
			}
			lists[i] = mine
		})
	}
	wg.Wait()
	seen := map[stamp.ID]bool{}
	for _, list := range lists {
		last := stamp.ID(0)
		for _, id := range list {
			if id <= last || seen[id] {
				t.Fatalf("%d after %d, or twice", id, last)
			}
			seen[id] = true
			last = id
		}
	}
	return seen
}

func nodeNumber(n uint64) node.Source { return node.Static(n) }
