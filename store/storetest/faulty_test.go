package storetest_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/storetest"
)

var errDriver = errors.New("connection reset")

// For each fault: what a call returns, and whether it took effect.
func TestFaultyAllocate(t *testing.T) {
	key := store.Key{Namespace: "shop", Name: "orders"}
	for name, tt := range map[string]struct {
		fault   storetest.Fault
		is      []error // none: no error
		isNot   []error
		effect  bool
		seconds int // that the call takes, of the 10 that it has
	}{
		"pass":            {effect: true},
		"fail before":     {fault: storetest.Fault{Kind: storetest.FailBefore}, is: []error{storetest.ErrInjected}, isNot: []error{store.ErrUnknownOutcome}},
		"fail before, by": {fault: storetest.Fault{Kind: storetest.FailBefore, Err: errDriver}, is: []error{errDriver}, isNot: []error{storetest.ErrInjected}},
		"fail after":      {fault: storetest.Fault{Kind: storetest.FailAfter}, is: []error{storetest.ErrInjected}, isNot: []error{store.ErrUnknownOutcome}, effect: true},
		"lose request":    {fault: storetest.Fault{Kind: storetest.LoseRequest, Err: errDriver}, is: []error{store.ErrUnknownOutcome, errDriver}},
		"lose reply":      {fault: storetest.Fault{Kind: storetest.LoseReply}, is: []error{store.ErrUnknownOutcome, storetest.ErrInjected}, effect: true},
		"hang":            {fault: storetest.Fault{Kind: storetest.Hang}, is: []error{store.ErrUnknownOutcome, context.DeadlineExceeded}, seconds: 10},
		"hang after":      {fault: storetest.Fault{Kind: storetest.HangAfter}, is: []error{store.ErrUnknownOutcome, context.DeadlineExceeded}, effect: true, seconds: 10},
		"slow":            {fault: storetest.Fault{Kind: storetest.Slow, Delay: 3 * time.Second}, effect: true, seconds: 3},
		"too slow":        {fault: storetest.Fault{Kind: storetest.Slow, Delay: time.Hour}, is: []error{context.DeadlineExceeded}, isNot: []error{store.ErrUnknownOutcome}, seconds: 10},
		"restore":         {fault: storetest.Fault{Kind: storetest.Restore}, is: []error{store.ErrNoCounter}},
		"vanish":          {fault: storetest.Fault{Kind: storetest.Vanish}, is: []error{store.ErrNoCounter}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				memory := store.NewMemory()
				f := storetest.NewFaulty(memory, storetest.Script(storetest.OpAllocate, storetest.Fault{}, tt.fault))
				_, err := f.Create(t.Context(), key, 0)
				require.NoError(t, err)
				maxID, err := f.Allocate(t.Context(), key, 10)
				require.NoError(t, err)
				require.Equal(t, int64(10), maxID)

				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				start := time.Now()
				maxID, err = f.Allocate(ctx, key, 5)
				require.Equal(t, time.Duration(tt.seconds)*time.Second, time.Since(start))
				if len(tt.is) == 0 {
					require.NoError(t, err)
					require.Equal(t, int64(15), maxID)
				} else {
					require.Zero(t, maxID)
				}
				for _, want := range tt.is {
					require.ErrorIs(t, err, want)
				}
				for _, unwanted := range tt.isNot {
					require.NotErrorIs(t, err, unwanted)
				}
				after, err := memory.Peek(t.Context(), key)
				require.NoError(t, err)
				require.Equal(t, tt.effect, after == 15, "the store stands at %d", after)
				require.Equal(t, 2, f.Calls(storetest.OpAllocate))
				require.Zero(t, f.Calls(storetest.OpPeek))
			})
		})
	}
}

func TestFaultyReadsHaveNoOutcome(t *testing.T) {
	key := store.Key{Namespace: "shop", Name: "orders"}
	lost := func(storetest.Call) storetest.Fault { return storetest.Fault{Kind: storetest.LoseReply} }
	f := storetest.NewFaulty(store.NewMemory(), nil)
	_, err := f.Create(t.Context(), key, 0)
	require.NoError(t, err)
	f.SetPlan(lost)
	_, err = f.Peek(t.Context(), key)
	require.ErrorIs(t, err, storetest.ErrInjected)
	require.NotErrorIs(t, err, store.ErrUnknownOutcome)
	_, err = f.Raise(t.Context(), key, 1)
	require.ErrorIs(t, err, store.ErrUnknownOutcome)
}

func TestFaultyRestore(t *testing.T) {
	ctx := t.Context()
	orders, users := store.Key{Namespace: "shop", Name: "orders"}, store.Key{Namespace: "shop", Name: "users"}
	f := storetest.NewFaulty(store.NewMemory(), nil)
	allocate := func(key store.Key, n, want int64) {
		t.Helper()
		maxID, err := f.Allocate(ctx, key, n)
		require.NoError(t, err)
		require.Equal(t, want, maxID)
	}
	_, err := f.Create(ctx, orders, 100)
	require.NoError(t, err)
	allocate(orders, 10, 110)
	require.NoError(t, f.Snapshot(ctx))
	allocate(orders, 10, 120)
	_, err = f.Create(ctx, users, 0)
	require.NoError(t, err)

	for range 2 { // a snapshot can be restored again
		require.NoError(t, f.Restore(ctx))
		allocate(orders, 5, 115)
		_, err = f.Allocate(ctx, users, 1)
		require.ErrorIs(t, err, store.ErrNoCounter, "made after the snapshot")
	}

	f.Vanish(orders)
	_, err = f.Peek(ctx, orders)
	require.ErrorIs(t, err, store.ErrNoCounter)
	created, err := f.Create(ctx, orders, 7)
	require.NoError(t, err)
	require.True(t, created)
	allocate(orders, 1, 8)

	f.SetPlan(storetest.Script(storetest.OpAllocate, storetest.Fault{}, storetest.Fault{Kind: storetest.Restore}))
	allocate(orders, 1, 9)
	allocate(orders, 1, 111)
	allocate(orders, 1, 112)
}

// A restore that the store below can't do leaves everything as it is.
func TestFaultyRestoreFails(t *testing.T) {
	key := store.Key{Namespace: "shop", Name: "orders"}
	memory := store.NewMemory()
	f := storetest.NewFaulty(memory, nil)
	_, err := f.Create(t.Context(), key, 1)
	require.NoError(t, err)
	require.NoError(t, f.Snapshot(t.Context()))
	_, err = memory.Create(t.Context(), store.Key{Namespace: "shop", Name: "orders~1"}, 0)
	require.NoError(t, err)
	require.ErrorContains(t, f.Restore(t.Context()), `"shop.orders~1" is in use`)
	maxID, err := f.Peek(t.Context(), key)
	require.NoError(t, err)
	require.Equal(t, int64(1), maxID)
}

func TestFaultyRecords(t *testing.T) {
	ctx := t.Context()
	key := store.Key{Namespace: "fence", Name: "shop 3"}
	f := storetest.NewFaultyRecords(store.NewMemory(), storetest.Script(storetest.OpCompareAndSet,
		storetest.Fault{Kind: storetest.LoseReply}, storetest.Fault{Kind: storetest.LoseRequest}))
	requireStands := func(want string) {
		t.Helper()
		value, err := f.Get(ctx, key)
		require.NoError(t, err)
		require.Equal(t, want, string(value))
	}
	require.ErrorIs(t, f.CompareAndSet(ctx, key, nil, []byte("a")), store.ErrUnknownOutcome)
	requireStands("a")
	require.ErrorIs(t, f.CompareAndSet(ctx, key, []byte("a"), []byte("b")), store.ErrUnknownOutcome)
	requireStands("a")
	require.NoError(t, f.Snapshot(ctx))
	require.NoError(t, f.CompareAndSet(ctx, key, []byte("a"), []byte("c")))
	requireStands("c")
	require.NoError(t, f.Restore(ctx))
	requireStands("a")
	require.ErrorIs(t, f.CompareAndSet(ctx, key, []byte("c"), []byte("d")), store.ErrConflict)
	f.Vanish(key)
	requireStands("")
	require.Equal(t, 4, f.Calls(storetest.OpCompareAndSet))
	f.SetPlan(storetest.Script(storetest.OpGet, storetest.Fault{Kind: storetest.Hang}))
	short, cancel := context.WithCancel(ctx)
	cancel()
	_, err := f.Get(short, key)
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, store.ErrUnknownOutcome)
}

// Restores between calls of many goroutines: each sees a whole state.
func TestFaultyHammer(t *testing.T) {
	ctx := t.Context()
	key := store.Key{Namespace: "shop", Name: "orders"}
	f := storetest.NewFaulty(store.NewMemory(), storetest.Random(1,
		storetest.Chance{Fault: storetest.Fault{Kind: storetest.Restore}, P: 0.1},
		storetest.Chance{Fault: storetest.Fault{Kind: storetest.LoseReply}, P: 0.1}))
	_, err := f.Create(ctx, key, 50)
	for errors.Is(err, store.ErrUnknownOutcome) {
		_, err = f.Create(ctx, key, 50)
	}
	require.NoError(t, err)
	require.NoError(t, f.Snapshot(ctx))
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for range 500 {
				maxID, err := f.Allocate(ctx, key, 1)
				if err == nil && maxID <= 50 || err != nil && !errors.Is(err, store.ErrUnknownOutcome) {
					t.Errorf("allocate: %d, %v", maxID, err)
				}
			}
		})
	}
	workers.Wait()
	require.Equal(t, 2000, f.Calls(storetest.OpAllocate))
}
