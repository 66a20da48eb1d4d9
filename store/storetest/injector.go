package storetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"sync"
	"time"

	"github.com/stampid/go-stamp/store"
)

// injector is what both wrappers do. V is what a key stands for: the value of a
// counter, or a record.
//
// Going back needs nothing of the store that isn't in the contract: from then on
// the key stands for another one in the store below, which begins with the older
// value or is missing. Calls that are under way end on the former one, like
// calls to a server that is about to be replaced.
type injector[V any] struct {
	load  func(ctx context.Context, key store.Key) (value V, found bool, err error)
	build func(ctx context.Context, key store.Key, value V) error

	mu    sync.Mutex
	plan  Plan
	since map[Op]int        // calls under plan
	total map[Op]int        // calls
	ages  map[store.Key]int // how often each key that was used went back
	saved map[store.Key]V   // the last snapshot
}

func newInjector[V any](plan Plan) *injector[V] {
	return &injector[V]{
		plan: plan, since: map[Op]int{}, total: map[Op]int{}, ages: map[store.Key]int{}, saved: map[store.Key]V{},
	}
}

func (in *injector[V]) setPlan(plan Plan) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.plan = plan
	clear(in.since)
}

func (in *injector[V]) calls(op Op) int {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.total[op]
}

// next counts a call and returns what happens to it.
func (in *injector[V]) next(op Op, key store.Key) Fault {
	in.mu.Lock()
	in.total[op]++
	in.since[op]++
	in.ages[key] += 0 // known from now on
	call, plan := Call{Op: op, Key: key, Number: in.since[op]}, in.plan
	in.mu.Unlock()
	if plan == nil {
		return Fault{}
	}
	return plan(call)
}

// below returns the key that stands for key in the store below. Keys that the
// store must refuse stay as they are.
func (in *injector[V]) below(key store.Key) store.Key {
	in.mu.Lock()
	defer in.mu.Unlock()
	return aged(key, in.ages[key])
}

func aged(key store.Key, age int) store.Key {
	if age > 0 && key.Name != "" {
		key.Name += "~" + strconv.Itoa(age)
	}
	return key
}

func (in *injector[V]) snapshot(ctx context.Context) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	saved := map[store.Key]V{}
	for key, age := range in.ages {
		value, found, err := in.load(ctx, aged(key, age))
		if errors.Is(err, store.ErrInvalid) {
			continue // it was refused when it was used, too
		}
		if err != nil {
			return err
		}
		if found {
			saved[key] = value
		}
	}
	in.saved = saved
	return nil
}

func (in *injector[V]) restore(ctx context.Context) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	older := maps.Clone(in.ages)
	for key := range older {
		older[key]++
		value, found := in.saved[key]
		if !found {
			continue
		}
		if err := in.build(ctx, aged(key, older[key]), value); err != nil {
			return err
		}
	}
	in.ages = older
	return nil
}

func (in *injector[V]) vanish(key store.Key) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.ages[key]++
}

// call makes a call of the store below, or doesn't, as the plan says.
func call[V, T any](
	ctx context.Context, in *injector[V], op Op, key store.Key, inner func(store.Key) (T, error),
) (T, error) {
	var none T
	fault := in.next(op, key)
	switch fault.Kind {
	case FailBefore:
		return none, fault.err()
	case LoseRequest:
		return none, lost(op, fault.err())
	case Hang:
		<-ctx.Done()
		return none, lost(op, ctx.Err())
	case Slow:
		if err := wait(ctx, fault.Delay); err != nil {
			return none, err
		}
	case Restore:
		if err := in.restore(ctx); err != nil {
			return none, err
		}
	case Vanish:
		in.vanish(key)
	}
	value, err := inner(in.below(key))
	if err != nil {
		return value, err
	}
	switch fault.Kind {
	case FailAfter:
		return none, fault.err()
	case LoseReply:
		return none, lost(op, fault.err())
	case HangAfter:
		<-ctx.Done()
		return none, lost(op, ctx.Err())
	}
	return value, nil
}

// lost is the error of a call without an answer. One that only reads has no
// outcome to be unknown.
func lost(op Op, err error) error {
	if op == OpPeek || op == OpGet {
		return err
	}
	return fmt.Errorf("%w: %w", store.ErrUnknownOutcome, err)
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
