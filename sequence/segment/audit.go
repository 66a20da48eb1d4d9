package segment

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/stampid/go-stamp/store"
)

// Audit keeps marks outside the store of the counters: for each counter the
// largest number that was ever reserved. With it, a store that lost counts is
// found out also by a process that hasn't seen them.
//
// An audit that all instances share, see [NewAudit], holds the maximum over
// all of them. One of an instance's own, in a local file say, protects that
// instance only. Implementations are safe for concurrent use and durable
// before they return.
type Audit interface {
	// Mark returns a counter's mark, 0 if there is none. It is called before each
	// allocation.
	Mark(ctx context.Context, counter store.Key) (int64, error)
	// Raise makes the mark to or more, and returns what it then is.
	Raise(ctx context.Context, counter store.Key, to int64) (int64, error)
}

// NewAudit is an audit in a second store, which must not be restored or fail
// over together with the first. Its marks are counters of the same names.
//
// A database of its own, or a Redis beside a database, serves all instances. A
// filestore.Store in a folder of the machine is the least effort, see the example,
// and protects a single instance: one process at a time, on a machine, or a
// volume, that it comes back to. With more, each needs that second store.
//
// An audit that can't be read or written stops generation when the numbers that
// were audited are used up; nothing is given out that wasn't.
func NewAudit(second store.Counters) Audit { return audit{second} }

type audit struct{ counters store.Counters }

// checkAudit finds an audit that would panic, or be worth nothing since it goes
// back with the counters. It can't find another handle on the same store.
func checkAudit(a Audit, counters store.Counters) error {
	if isNil(a) {
		return fmt.Errorf("audit is a nil %T", a)
	}
	own, ok := a.(audit)
	if !ok {
		return nil
	}
	if own.counters == nil || isNil(own.counters) {
		return errors.New("audit without a store")
	}
	if v := reflect.ValueOf(own.counters); v.Comparable() && any(own.counters) == any(counters) {
		return errors.New("audit in the store of the counters")
	}
	return nil
}

func (a audit) Mark(ctx context.Context, counter store.Key) (int64, error) {
	mark, err := a.counters.Peek(ctx, counter)
	if errors.Is(err, store.ErrNoCounter) {
		return 0, nil
	}
	return mark, err
}

func (a audit) Raise(ctx context.Context, counter store.Key, to int64) (int64, error) {
	mark, err := a.counters.Raise(ctx, counter, to)
	if !errors.Is(err, store.ErrNoCounter) {
		return mark, err
	}
	if created, err := a.counters.Create(ctx, counter, to); err != nil || created {
		return to, err
	}
	return a.counters.Raise(ctx, counter, to) // another instance has created it
}
