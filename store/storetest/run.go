package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

// Run tests a store's counters. Open returns a client; all the clients that it
// returns must reach one store, which may hold other counters. It may leave
// their closing to t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) store.Counters) {
	s := counterSuite{open: open, namespace: newNamespace()}
	t.Run("create", s.create)
	t.Run("create at once", s.createAtOnce)
	t.Run("missing counter", s.missing)
	t.Run("start", s.start)
	t.Run("twenty at once", s.twentyAtOnce)
	t.Run("random sizes", s.randomSizes)
	t.Run("two clients", s.twoClients)
	t.Run("raise", s.raise)
	t.Run("raise at once", s.raiseAtOnce)
	t.Run("large values", s.largeValues)
	t.Run("exhausted", s.exhausted)
	t.Run("cancelled before", s.cancelledBefore)
	t.Run("cancelled during", s.cancelledDuring)
	t.Run("names", s.names)
	t.Run("long names", s.longNames)
	t.Run("invalid arguments", s.invalid)
}

// RunRecords tests a store's records. Open is as in [Run].
func RunRecords(t *testing.T, open func(t *testing.T) store.Records) {
	s := recordSuite{open: open, namespace: newNamespace()}
	t.Run("life", s.life)
	t.Run("conflict", s.conflict)
	t.Run("one winner", s.oneWinner)
	t.Run("chain of writes", s.chain)
	t.Run("any bytes", s.anyBytes)
	t.Run("slices", s.slices)
	t.Run("counter of the same key", s.sameKey)
	t.Run("cancelled before", s.cancelledBefore)
	t.Run("cancelled during", s.cancelledDuring)
	t.Run("names", s.names)
	t.Run("invalid arguments", s.invalid)
}

// patience is how long a test may take before its calls are cancelled: only a
// store that hangs takes so long.
const patience = time.Minute

func testContext(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// newNamespace returns one that no other run uses.
func newNamespace() string { return fmt.Sprintf("conformance-%016x", rand.Uint64()) }

// atOnce runs n functions at the same time and waits for them.
func atOnce(n int, work func(i int)) {
	var ready, done sync.WaitGroup
	ready.Add(n)
	for i := range n {
		done.Go(func() {
			ready.Done()
			ready.Wait()
			work(i)
		})
	}
	done.Wait()
}

// contextEnds lists the two ways in which a context is over, and the error that
// a call must then match.
func contextEnds(t *testing.T) map[error]context.Context {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	t.Cleanup(cancel)
	return map[error]context.Context{context.Canceled: cancelled, context.DeadlineExceeded: late}
}

// requireCutOff checks the error of a call whose context was cancelled while it
// ran, and tells whether it may have had its effect.
func requireCutOff(t *testing.T, err error) (mayHaveHappened bool) {
	t.Helper()
	unknown := errors.Is(err, store.ErrUnknownOutcome)
	if !unknown {
		require.ErrorIs(t, err, context.Canceled, "neither an unknown outcome nor the context's end")
	}
	return unknown
}

// sample calls f a few times and returns how long the fastest call took: on a
// busy machine the others tell nothing of the store.
func sample(f func()) time.Duration {
	const calls = 5
	fastest := time.Hour
	for range calls {
		start := time.Now()
		f()
		fastest = min(fastest, time.Since(start))
	}
	return fastest + time.Microsecond
}

// cancelSoon returns a context that is cancelled at a random moment before
// twice as long as a call takes, more often early, when a busy machine is still
// sure to be in the call.
func cancelSoon(ctx context.Context, oneCall time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	timer := time.AfterFunc(rand.N(2*oneCall)>>rand.N(3), cancel)
	return ctx, func() {
		timer.Stop()
		cancel()
	}
}
