package segment

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/stampid/go-stamp/store"
)

// RecoverOptions say what a counter that lost counts is raised to.
type RecoverOptions struct {
	// Instances is how many processes may hold ranges that the audit hasn't
	// seen: all that were running when the store was rolled back. 1 or more.
	Instances int64
	// Step and PrefetchDistance are those of the largest fetch that any of
	// them can have made. 0: DefaultStep, DefaultMaxPrefetchDistance.
	Step, PrefetchDistance int64

	// Audit is where the mark is. Nil: there is none, and Start must be set.
	Audit Audit
	// Start is the value to raise the counter to when there is no mark. It must
	// lie above every number that was ever reserved. The largest id in the
	// tables is no proof: an instance may hold a higher range that it hasn't
	// used.
	Start int64
	// AllStopped says that no instance is running. It is asked for without a
	// mark.
	AllStopped bool
}

// Recovery is what a recovery would do, to be shown before it is applied.
type Recovery struct {
	Counter store.Key
	Store   int64 // where the counter stands; 0 when it is missing
	Missing bool  // the store has no such counter; it is to be created
	Mark    int64 // the audit's mark, 0 when there is none
	Gap     int64 // Instances × PrefetchDistance × Step
	To      int64 // Mark + Gap, or the chosen Start
}

// PlanRecovery computes a recovery of a counter, and changes nothing. The error
// matches [ErrRecovery] when something is missing that makes it safe, or is
// the store's.
func PlanRecovery(ctx context.Context, c store.Counters, counter store.Key, o RecoverOptions) (Recovery, error) {
	fill(&o.Step, DefaultStep)
	fill(&o.PrefetchDistance, DefaultMaxPrefetchDistance)
	if err := o.validate(c); err != nil {
		return Recovery{}, err
	}
	r := Recovery{Counter: counter, Gap: saturatedProduct(saturatedProduct(o.Instances, o.PrefetchDistance), o.Step)}
	var err error
	if r.Store, err = c.Peek(ctx, counter); errors.Is(err, store.ErrNoCounter) {
		r.Missing = true
	} else if err != nil {
		return Recovery{}, fmt.Errorf("segment: looking at counter %q: %w", counter, err)
	}
	if o.Audit != nil {
		if r.Mark, err = o.Audit.Mark(ctx, counter); err != nil {
			return Recovery{}, fmt.Errorf("segment: reading the audit mark of %q: %w", counter, err)
		}
	}
	switch {
	case r.Mark > 0:
		if r.Gap > math.MaxInt64-r.Mark {
			return Recovery{}, fmt.Errorf("%w: mark %d and gap %d of %q are above %d together",
				ErrRecovery, r.Mark, r.Gap, counter, int64(math.MaxInt64))
		}
		r.To = max(r.Mark+r.Gap, o.Start)
	case o.Start <= 0:
		return Recovery{}, fmt.Errorf("%w: no audit mark of %q, so Start must be chosen", ErrRecovery, counter)
	case !o.AllStopped:
		return Recovery{}, fmt.Errorf("%w: no audit mark of %q, so all instances must be stopped", ErrRecovery, counter)
	default:
		r.To = o.Start
	}
	return r, nil
}

func (o RecoverOptions) validate(c store.Counters) error {
	var errs []error
	if c == nil || isNil(c) {
		errs = append(errs, fmt.Errorf("%w: no counters", ErrRecovery))
	}
	if err := checkAudit(o.Audit, c); err != nil {
		errs = append(errs, fmt.Errorf("%w: %w", ErrRecovery, err))
	}
	for _, f := range []struct {
		name  string
		value int64
		least int64
	}{
		{"Instances", o.Instances, 1},
		{"Step", o.Step, 1},
		{"PrefetchDistance", o.PrefetchDistance, 1},
		{"Start", o.Start, 0},
	} {
		if f.value < f.least {
			errs = append(errs, fmt.Errorf("%w: %s %d is below %d", ErrRecovery, f.name, f.value, f.least))
		}
	}
	return errors.Join(errs...)
}

// Apply raises the counter, or creates it, and returns where it then stands:
// at To or above. It may be repeated. A counter that was created by others in
// the meantime is raised like any other.
func (r Recovery) Apply(ctx context.Context, c store.Counters) (int64, error) {
	at, err := c.Raise(ctx, r.Counter, r.To)
	if errors.Is(err, store.ErrNoCounter) {
		var created bool
		if created, err = c.Create(ctx, r.Counter, r.To); err == nil && created {
			return r.To, nil
		}
		if err == nil {
			at, err = c.Raise(ctx, r.Counter, r.To)
		}
	}
	if err != nil {
		return 0, fmt.Errorf("segment: raising counter %q to %d: %w", r.Counter, r.To, err)
	}
	return at, nil
}

// saturatedProduct is a × b of positive numbers, at most MaxInt64.
func saturatedProduct(a, b int64) int64 {
	if a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}
