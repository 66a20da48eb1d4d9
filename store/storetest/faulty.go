package storetest

import (
	"context"
	"errors"
	"fmt"

	"github.com/stampid/go-stamp/store"
)

// Faulty is a store whose calls fail as a plan says. Make it with [NewFaulty].
// It is safe for concurrent use.
//
// A counter that went back is another one in the store below, with "~1", "~2"
// and so on behind its name. Instances of a service that shall all see it go
// back share one Faulty; those that shall fail each in their own way wrap that
// one again.
type Faulty struct {
	counters store.Counters
	in       *injector[int64]
}

// NewFaulty wraps counters. A nil plan lets all calls pass.
func NewFaulty(counters store.Counters, plan Plan) *Faulty {
	f := &Faulty{counters: counters, in: newInjector[int64](plan)}
	f.in.load = func(ctx context.Context, key store.Key) (int64, bool, error) {
		maxID, err := counters.Peek(ctx, key)
		if errors.Is(err, store.ErrNoCounter) {
			return 0, false, nil
		}
		return maxID, err == nil, err
	}
	f.in.build = func(ctx context.Context, key store.Key, maxID int64) error {
		created, err := counters.Create(ctx, key, maxID)
		if err == nil && !created {
			err = fmt.Errorf("storetest: counter %q is in use", key.String())
		}
		return err
	}
	return f
}

// SetPlan replaces the plan. Its calls are counted from 1.
func (f *Faulty) SetPlan(plan Plan) { f.in.setPlan(plan) }

// Calls tells how many calls of op there were, failed ones included.
func (f *Faulty) Calls(op Op) int { return f.in.calls(op) }

// Snapshot notes all counters that calls have named so far, for [Faulty.Restore]
// and the [Kind] Restore.
func (f *Faulty) Snapshot(ctx context.Context) error { return f.in.snapshot(ctx) }

// Restore puts all counters back to the last snapshot. Those that weren't there
// then, and all if there is none, are missing.
func (f *Faulty) Restore(ctx context.Context) error { return f.in.restore(ctx) }

// Vanish makes a counter missing.
func (f *Faulty) Vanish(key store.Key) { f.in.vanish(key) }

// Create is that of [store.Counters].
func (f *Faulty) Create(ctx context.Context, key store.Key, start int64) (created bool, err error) {
	return call(ctx, f.in, OpCreate, key, func(key store.Key) (bool, error) { return f.counters.Create(ctx, key, start) })
}

// Allocate is that of [store.Counters].
func (f *Faulty) Allocate(ctx context.Context, key store.Key, n int64) (maxID int64, err error) {
	return call(ctx, f.in, OpAllocate, key, func(key store.Key) (int64, error) { return f.counters.Allocate(ctx, key, n) })
}

// Peek is that of [store.Counters].
func (f *Faulty) Peek(ctx context.Context, key store.Key) (maxID int64, err error) {
	return call(ctx, f.in, OpPeek, key, func(key store.Key) (int64, error) { return f.counters.Peek(ctx, key) })
}

// Raise is that of [store.Counters].
func (f *Faulty) Raise(ctx context.Context, key store.Key, to int64) (maxID int64, err error) {
	return call(ctx, f.in, OpRaise, key, func(key store.Key) (int64, error) { return f.counters.Raise(ctx, key, to) })
}
