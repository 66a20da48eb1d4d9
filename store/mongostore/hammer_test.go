package mongostore_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/mongostore"
)

// allocateAtOnce takes numbers one by one, from several goroutines for each store,
// and returns them and the errors.
func allocateAtOnce(t *testing.T, stores []*mongostore.Store, workers, calls int) (numbers []int64, errs []error) {
	t.Helper()
	var mu sync.Mutex
	var running sync.WaitGroup
	for _, s := range stores {
		for range workers {
			running.Go(func() {
				last := int64(0)
				for range calls {
					maxID, err := s.Allocate(t.Context(), orders, 1)
					mu.Lock()
					if err != nil {
						errs = append(errs, err)
					} else {
						numbers = append(numbers, maxID)
					}
					mu.Unlock()
					if err == nil && maxID <= last {
						t.Errorf("%d after %d", maxID, last)
					}
					last = max(last, maxID)
				}
			})
		}
	}
	running.Wait()
	slices.Sort(numbers)
	return numbers, errs
}

// Two clients, many callers: each number once, and none left out.
func TestTwoClients(t *testing.T) {
	const workers, calls = 8, 25
	client := connect(t)
	o := newDatabase(t, client)
	stores := []*mongostore.Store{newStore(t, client, o), newStore(t, connect(t), o)}
	_, err := stores[0].Create(t.Context(), orders, 0)
	require.NoError(t, err)
	numbers, errs := allocateAtOnce(t, stores, workers, calls)
	require.Empty(t, errs)
	require.Len(t, numbers, 2*workers*calls)
	for i, n := range numbers {
		require.Equal(t, int64(i)+1, n)
	}
}

// Connections that break at random: no number twice, and none is gone but those of
// calls whose outcome is unknown.
func TestLossyConnections(t *testing.T) {
	t.Parallel() // the driver waits half a second before it looks for a server again
	const workers, calls, losses = 4, 15, 6
	lossy, direct, p := through(t, "")
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	doomed := random.Perm(workers * calls)[:losses]
	var mu sync.Mutex
	count := 0
	p.setEach(func() fate {
		mu.Lock()
		defer mu.Unlock()
		count++
		if !slices.Contains(doomed, count-1) {
			return pass
		}
		return []fate{loseRequest, loseReply}[random.IntN(2)]
	})
	numbers, errs := allocateAtOnce(t, []*mongostore.Store{lossy, direct}, workers, calls)
	unknown := 0
	for _, err := range errs {
		if errors.Is(err, store.ErrUnknownOutcome) {
			unknown++
		}
	}
	for i := 1; i < len(numbers); i++ {
		require.Less(t, numbers[i-1], numbers[i], "twice")
	}
	maxID, err := direct.Peek(t.Context(), orders)
	require.NoError(t, err)
	require.GreaterOrEqual(t, maxID, numbers[len(numbers)-1])
	require.LessOrEqual(t, maxID, int64(len(numbers)+unknown))
}
