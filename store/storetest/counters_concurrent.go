package storetest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

// span is the numbers above max-n, up to max.
type span struct{ n, max int64 }

// requireTiled checks that spans cover the numbers from 1 to end, each once.
func requireTiled(t *testing.T, spans []span, end int64) {
	t.Helper()
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.max, b.max) })
	next := int64(1)
	for _, sp := range spans {
		first := sp.max - sp.n + 1
		require.GreaterOrEqual(t, first, next, "%d to %d were allocated twice", first, min(next-1, sp.max))
		require.LessOrEqual(t, first, next, "%d to %d were skipped", next, first-1)
		next = sp.max + 1
	}
	require.Equal(t, end, next-1)
}

func (s counterSuite) twentyAtOnce(t *testing.T) {
	const callers = 20
	client, key := s.counter(t, "twenty-at-once", 0)
	ctx := testContext(t)
	got, errs := make([]int64, callers), make([]error, callers)
	atOnce(callers, func(i int) { got[i], errs[i] = client.Allocate(ctx, key, 1) })
	want := make([]int64, callers)
	for i := range want {
		require.NoError(t, errs[i])
		want[i] = int64(i) + 1
	}
	slices.Sort(got)
	require.Equal(t, want, got)
	requirePeek(t, client, key, callers)
}

func (s counterSuite) randomSizes(t *testing.T) {
	ctx := testContext(t)
	client, key := s.counter(t, "random-sizes", 0)
	var sum int64
	for range 10 {
		n := 1 + rand.Int64N(1<<31-1)
		maxID, err := client.Allocate(ctx, key, n)
		require.NoError(t, err)
		sum += n
		require.Equal(t, sum, maxID, "after %d more", n)
	}
	requirePeek(t, client, key, sum)
}

func (s counterSuite) twoClients(t *testing.T) {
	const callers, calls = 8, 10
	first, key := s.counter(t, "two-clients", 0)
	clients := [2]store.Counters{first, s.open(t)}
	ctx := testContext(t)
	spans, errs := make([][]span, callers), make([]error, callers)
	atOnce(callers, func(i int) {
		for range calls {
			n := 1 + rand.Int64N(1000)
			maxID, err := clients[i%2].Allocate(ctx, key, n)
			if err != nil {
				errs[i] = err
				return
			}
			spans[i] = append(spans[i], span{n, maxID})
		}
	})
	for i, mine := range spans {
		require.NoError(t, errs[i], "all clients must reach one store")
		rising := slices.IsSortedFunc(mine, func(a, b span) int { return cmp.Compare(a.max, b.max) })
		require.True(t, rising, "later calls must get higher numbers: %v", mine)
	}
	end, err := clients[1].Peek(ctx, key)
	require.NoError(t, err)
	requireTiled(t, slices.Concat(spans...), end)
}

// raiseAtOnce raises while others allocate, and no higher than allocations soon
// get, so that a raise shows that writes back what it has read before.
func (s counterSuite) raiseAtOnce(t *testing.T) {
	const callers, calls, most = 4, 5, 100_000
	client, key := s.counter(t, "raise-at-once", 0)
	ctx := testContext(t)
	got, errs := make([][]int64, callers), make([]error, callers)
	var raisers atomic.Int64
	raisers.Store(callers / 2)
	raise := func(i int) error {
		defer raisers.Add(-1)
		for c := range calls {
			to := int64(c) + 1
			maxID, err := client.Raise(ctx, key, to)
			if err != nil {
				return err
			}
			if maxID < to {
				return fmt.Errorf("raised to %d, and stands at %d", to, maxID)
			}
			got[i] = append(got[i], maxID)
		}
		return nil
	}
	allocate := func(i int) error {
		for len(got[i]) < calls || raisers.Load() > 0 && len(got[i]) < most {
			maxID, err := client.Allocate(ctx, key, 1)
			if err != nil {
				return err
			}
			got[i] = append(got[i], maxID)
		}
		return nil
	}
	atOnce(callers, func(i int) {
		if i%2 == 0 {
			errs[i] = raise(i)
		} else {
			errs[i] = allocate(i)
		}
	})
	seen := map[int64]bool{}
	highest := int64(calls)
	for i := range callers {
		require.NoError(t, errs[i])
		require.True(t, slices.IsSorted(got[i]), "the counter went back")
		for _, maxID := range got[i] {
			require.False(t, i%2 == 1 && seen[maxID], "%d was allocated twice", maxID)
			seen[maxID] = seen[maxID] || i%2 == 1
			highest = max(highest, maxID)
		}
	}
	requirePeek(t, client, key, highest)
}

// cancelledDuring checks what callers may conclude from the errors of calls that
// were cut off: what an error says hasn't happened, hasn't. Each second call is
// left in peace, to get what others might have been given too.
func (s counterSuite) cancelledDuring(t *testing.T) {
	const callers, calls = 4, 20
	client, key := s.counter(t, "cancelled-during", 0)
	ctx := testContext(t)
	before := int64(0)
	oneCall := sample(func() {
		_, err := client.Allocate(ctx, key, 1)
		require.NoError(t, err)
		before++
	})
	got, errs := make([][]int64, callers), make([][]error, callers)
	atOnce(callers, func(i int) {
		for c := range calls {
			short, cancel := ctx, func() {}
			if c%2 == 0 {
				short, cancel = cancelSoon(ctx, oneCall)
			}
			maxID, err := client.Allocate(short, key, 1)
			cancel()
			if err != nil {
				errs[i] = append(errs[i], err)
				continue
			}
			got[i] = append(got[i], maxID)
		}
	})
	seen := map[int64]bool{}
	highest := before
	for _, maxID := range slices.Concat(got...) {
		require.False(t, seen[maxID] || maxID <= before, "%d was allocated twice", maxID)
		seen[maxID] = true
		highest = max(highest, maxID)
	}
	unknown := int64(0)
	for _, err := range slices.Concat(errs...) {
		if requireCutOff(t, err) {
			unknown++
		}
	}
	maxID, err := client.Allocate(ctx, key, 1)
	require.NoError(t, err, "after calls that were cut off")
	require.Greater(t, maxID, highest)
	require.LessOrEqual(t, maxID, before+int64(len(seen))+unknown+1,
		"calls took effect that failed without saying that their outcome is unknown")
}
