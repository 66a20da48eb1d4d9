package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/stampid/go-stamp/store"
)

// FaultyRecords is to [store.Records] what [Faulty] is to [store.Counters]. Make
// it with [NewFaultyRecords]. It is safe for concurrent use.
type FaultyRecords struct {
	records store.Records
	in      *injector[[]byte]
}

// NewFaultyRecords wraps records. A nil plan lets all calls pass.
func NewFaultyRecords(records store.Records, plan Plan) *FaultyRecords {
	f := &FaultyRecords{records: records, in: newInjector[[]byte](plan)}
	f.in.load = func(ctx context.Context, key store.Key) ([]byte, bool, error) {
		value, err := records.Get(ctx, key)
		return value, len(value) > 0, err
	}
	f.in.build = func(ctx context.Context, key store.Key, value []byte) error {
		return records.CompareAndSet(ctx, key, nil, value)
	}
	return f
}

// SetPlan replaces the plan. Its calls are counted from 1.
func (f *FaultyRecords) SetPlan(plan Plan) { f.in.setPlan(plan) }

// Calls tells how many calls of op there were, failed ones included.
func (f *FaultyRecords) Calls(op Op) int { return f.in.calls(op) }

// Snapshot notes all records that calls have named so far, for
// [FaultyRecords.Restore] and the [Kind] Restore.
func (f *FaultyRecords) Snapshot(ctx context.Context) error { return f.in.snapshot(ctx) }

// Restore puts all records back to the last snapshot. Those that weren't there
// then, and all if there is none, are missing.
func (f *FaultyRecords) Restore(ctx context.Context) error { return f.in.restore(ctx) }

// Vanish makes a record missing.
func (f *FaultyRecords) Vanish(key store.Key) { f.in.vanish(key) }

// Get is that of [store.Records].
func (f *FaultyRecords) Get(ctx context.Context, key store.Key) (value []byte, err error) {
	return call(ctx, f.in, OpGet, key, func(key store.Key) ([]byte, error) { return f.records.Get(ctx, key) })
}

// CompareAndSet is that of [store.Records].
func (f *FaultyRecords) CompareAndSet(ctx context.Context, key store.Key, old, value []byte) error {
	_, err := call(ctx, f.in, OpCompareAndSet, key, func(key store.Key) (struct{}, error) {
		return struct{}{}, f.records.CompareAndSet(ctx, key, old, value)
	})
	return err
}

// GetExpiring is that of [store.Expiring], and counts as a Get. Records that don't
// have it give [errors.ErrUnsupported].
func (f *FaultyRecords) GetExpiring(ctx context.Context, key store.Key) (value []byte, left time.Duration, err error) {
	type found struct {
		value []byte
		left  time.Duration
	}
	records, err := f.expiring()
	if err != nil {
		return nil, 0, err
	}
	a, err := call(ctx, f.in, OpGet, key, func(key store.Key) (a found, err error) {
		a.value, a.left, err = records.GetExpiring(ctx, key)
		return a, err
	})
	return a.value, a.left, err
}

// CompareAndSetExpiring is that of [store.Expiring], and counts as a CompareAndSet.
func (f *FaultyRecords) CompareAndSetExpiring(ctx context.Context, key store.Key, old, value []byte, ttl time.Duration) error {
	records, err := f.expiring()
	if err != nil {
		return err
	}
	_, err = call(ctx, f.in, OpCompareAndSet, key, func(key store.Key) (struct{}, error) {
		return struct{}{}, records.CompareAndSetExpiring(ctx, key, old, value, ttl)
	})
	return err
}

func (f *FaultyRecords) expiring() (store.Expiring, error) {
	if records, ok := f.records.(store.Expiring); ok {
		return records, nil
	}
	return nil, fmt.Errorf("storetest: records of type %T don't run out: %w", f.records, errors.ErrUnsupported)
}
