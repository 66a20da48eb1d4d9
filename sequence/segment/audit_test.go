package segment_test

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

// A store that was restored while no process was running is found out through
// the audit; without one it isn't.
func TestAuditFindsARollbackAtTheStart(t *testing.T) {
	for _, mode := range modes {
		f, second := newFake(), store.NewMemory()
		o := segment.Options{Mode: mode, Step: 10, Audit: segment.NewAudit(second), NoBackground: true}
		first := newGenerator(t, f, o)
		require.EqualValues(t, 1, next(t, first))
		reserved := f.counter("orders")

		f.Restore(store.Contents{Counters: map[string]int64{orders.String(): 3}})
		var rolledBack *segment.RolledBackError
		_, err := newGenerator(t, f, o).Next(background)
		require.ErrorIs(t, err, segment.ErrRolledBack)
		require.ErrorAs(t, err, &rolledBack)
		require.Equal(t, segment.RolledBackError{Counter: orders, Mark: reserved, Store: 3}, *rolledBack)

		f.Restore(store.Contents{})
		err = newGenerator(t, f, o).Warm(background)
		require.ErrorAs(t, err, &rolledBack)
		require.Equal(t, segment.RolledBackError{Counter: orders, Mark: reserved, Missing: true}, *rolledBack)
		require.EqualValues(t, -1, f.counter("orders"), "not created again")

		o.Audit = nil
		require.EqualValues(t, 1, next(t, newGenerator(t, f, o)))
	}
}

// listed is a store that can't be compared.
type listed struct {
	*store.Memory
	_ []int
}

// An audit that goes back with the counters, or can't be asked, is refused.
func TestAuditsThatAreNone(t *testing.T) {
	f := newFake()
	for text, audit := range map[string]segment.Audit{
		"audit in the store of the counters": segment.NewAudit(f),
		"audit without a store":              segment.NewAudit(nil),
		"audit is a nil *segment_test.brok":  (*brokenAudit)(nil),
	} {
		_, err := segment.New(f, orders, segment.Options{Audit: audit})
		require.ErrorIs(t, err, segment.ErrOptions)
		require.ErrorContains(t, err, text)
		_, err = segment.NewProvider(f, segment.ProviderOptions{Namespace: "shop", Defaults: segment.Options{Audit: audit}})
		require.ErrorContains(t, err, text)
	}
	_, err := segment.New(f, orders, segment.Options{Audit: segment.NewAudit((*store.Memory)(nil))})
	require.ErrorIs(t, err, segment.ErrOptions)
	odd := listed{Memory: store.NewMemory()}
	_, err = segment.New(odd, orders, segment.Options{Audit: segment.NewAudit(odd)})
	require.NoError(t, err, "it isn't known whether they are one")
}

// between calls a function before each raise.
type between struct {
	segment.Audit
	call func()
}

func (b *between) Raise(ctx context.Context, key store.Key, to int64) (int64, error) {
	b.call()
	return b.Audit.Raise(ctx, key, to)
}

// An instance learns the marks of others, and finds out that their ranges are
// lost though the counter isn't below its own.
func TestAuditOfOthers(t *testing.T) {
	f, a := newFake(), segment.NewAudit(store.NewMemory())
	o := segment.Options{Mode: segment.Sync, Step: 10, Audit: a}
	others := newGenerator(t, f, o)
	var backup store.Contents
	o.Audit = &between{Audit: a, call: func() {
		if backup.Counters == nil {
			backup = f.Contents()
			require.EqualValues(t, 11, next(t, others))
		}
	}}
	mine := newGenerator(t, f, o)
	require.EqualValues(t, 1, next(t, mine))
	_, err := mine.Take(background, 9)
	require.NoError(t, err)
	f.Restore(backup)
	_, err = mine.Next(background)
	var rolledBack *segment.RolledBackError
	require.ErrorAs(t, err, &rolledBack)
	require.Equal(t, segment.RolledBackError{Counter: orders, Mark: 20, Store: 10}, *rolledBack)
}

// brokenAudit fails, or notes what was handed out before it was told.
type brokenAudit struct {
	segment.Audit
	mark, raise error
	raised      int64
	mu          sync.Mutex
}

func (a *brokenAudit) Mark(context.Context, store.Key) (int64, error) { return 0, a.mark }

func (a *brokenAudit) Raise(_ context.Context, _ store.Key, to int64) (int64, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.raise == nil {
		a.raised = max(a.raised, to)
	}
	return to, a.raise
}

func TestNothingIsUsedThatIsNotAudited(t *testing.T) {
	down := errors.New("audit is down")
	for _, mode := range modes {
		for _, a := range []*brokenAudit{{mark: down}, {raise: down}} {
			g := newGenerator(t, newFake(), segment.Options{Mode: mode, Audit: a})
			_, err := g.Next(background)
			require.ErrorIs(t, err, down)
			require.ErrorIs(t, err, segment.ErrFetch)
		}
		a := new(brokenAudit)
		g := newGenerator(t, newFake(), segment.Options{Mode: mode, Audit: a})
		for range 1000 {
			id := next(t, g)
			a.mu.Lock()
			require.LessOrEqual(t, id, a.raised)
			a.mu.Unlock()
		}
		require.NoError(t, g.Close())
	}
}

func TestAuditHoldsTheMaximumOfAllInstances(t *testing.T) {
	second := store.NewMemory()
	a := segment.NewAudit(second)
	mark, err := a.Mark(background, orders)
	require.NoError(t, err)
	require.Zero(t, mark)
	var wg sync.WaitGroup
	for i := range int64(50) {
		wg.Go(func() {
			_, err := a.Raise(background, orders, i+1)
			require.NoError(t, err)
		})
	}
	wg.Wait()
	mark, err = a.Mark(background, orders)
	require.NoError(t, err)
	require.EqualValues(t, 50, mark)
	mark, err = a.Raise(background, orders, 7)
	require.NoError(t, err)
	require.EqualValues(t, 50, mark)
}

func TestRecover(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, a := newFake(), segment.NewAudit(store.NewMemory())
		g := newGenerator(t, f, segment.Options{Step: 10, Audit: a})
		next(t, g)
		synctest.Wait()
		mark := f.counter("orders")
		f.Restore(store.Contents{Counters: map[string]int64{orders.String(): 5}})
		var err error
		for err == nil {
			_, err = g.Next(background)
			synctest.Wait()
		}
		require.ErrorIs(t, err, segment.ErrRolledBack)

		stands := f.counter("orders")
		r, err := segment.PlanRecovery(background, f, orders, segment.RecoverOptions{
			Instances: 3, Step: 10, PrefetchDistance: 100, Audit: a,
		})
		require.NoError(t, err)
		require.Equal(t, segment.Recovery{Counter: orders, Store: stands, Mark: mark, Gap: 3000, To: mark + 3000}, r)
		require.Equal(t, stands, f.counter("orders"), "nothing is changed yet")
		_, err = g.Next(background)
		require.ErrorIs(t, err, segment.ErrRolledBack)
		for range 2 {
			at, err := r.Apply(background, f)
			require.NoError(t, err)
			require.Equal(t, mark+3000, at)
		}
		g.Resume()
		require.Equal(t, mark+3001, next(t, g))
	})
}

func TestRecoverAMissingCounter(t *testing.T) {
	f, a := newFake(), segment.NewAudit(store.NewMemory())
	_, err := a.Raise(background, orders, 500)
	require.NoError(t, err)
	r, err := segment.PlanRecovery(background, f, orders, segment.RecoverOptions{Instances: 1, Audit: a})
	require.NoError(t, err)
	require.Equal(t, segment.Recovery{Counter: orders, Missing: true, Mark: 500, Gap: 100_000, To: 100_500}, r)
	for range 2 {
		at, err := r.Apply(background, f)
		require.NoError(t, err)
		require.EqualValues(t, 100_500, at)
	}
}

func TestRecoveryIsRefused(t *testing.T) {
	marked, unmarked := segment.NewAudit(store.NewMemory()), segment.NewAudit(store.NewMemory())
	_, err := marked.Raise(background, orders, math.MaxInt64-1000)
	require.NoError(t, err)
	for name, o := range map[string]segment.RecoverOptions{
		"no instances":        {Start: 1, AllStopped: true},
		"negative":            {Instances: 1, Step: -1, PrefetchDistance: -1, Start: -1},
		"no audit, no start":  {Instances: 1, AllStopped: true},
		"no mark, no start":   {Instances: 1, AllStopped: true, Audit: unmarked},
		"not all stopped":     {Instances: 1, Start: 1000},
		"beyond the last":     {Instances: 1, Audit: marked},
		"gap beyond the last": {Instances: math.MaxInt64, Step: math.MaxInt64, Audit: marked},
	} {
		_, err := segment.PlanRecovery(background, newFake(), orders, o)
		require.ErrorIs(t, err, segment.ErrRecovery, name)
	}
	f := newFake()
	_, err = segment.PlanRecovery(background, f, orders, segment.RecoverOptions{Instances: 1, Audit: segment.NewAudit(f)})
	require.EqualError(t, err, "segment: recovery refused: audit in the store of the counters")
	for _, counters := range []store.Counters{nil, (*store.Memory)(nil)} {
		_, err = segment.PlanRecovery(background, counters, orders, segment.RecoverOptions{Instances: 1, Audit: segment.NewAudit(counters)})
		require.ErrorIs(t, err, segment.ErrRecovery)
	}
	r, err := segment.PlanRecovery(background, newFake(), orders, segment.RecoverOptions{
		Instances: 1, Start: 12345, AllStopped: true, Audit: unmarked,
	})
	require.NoError(t, err)
	require.EqualValues(t, 12345, r.To)
	require.True(t, r.Missing)
}
