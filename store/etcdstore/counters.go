package etcdstore

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/stampid/go-stamp/store"
)

// Create is that of [store.Counters].
func (s *Store) Create(ctx context.Context, key store.Key, start int64) (created bool, err error) {
	if err := limits().CheckCreate(key, start); err != nil {
		return false, err
	}
	r := s.counter("create", key)
	// Most counters are there already, and a read leaves no doubt if it fails.
	_, found, err := r.get(ctx)
	if err != nil || found {
		return false, err
	}
	return r.put(ctx, r.missing(), format(start))
}

// Allocate is that of [store.Counters].
func (s *Store) Allocate(ctx context.Context, key store.Key, n int64) (maxID int64, err error) {
	if err := limits().CheckAllocate(key, n); err != nil {
		return 0, err
	}
	return s.counter("allocate", key).update(ctx, func(at int64) (int64, error) {
		if n > math.MaxInt64-at {
			return 0, fmt.Errorf("%w: it stands at %d, no room for %d more", store.ErrExhausted, at, n)
		}
		return at + n, nil
	})
}

// Peek is that of [store.Counters].
func (s *Store) Peek(ctx context.Context, key store.Key) (maxID int64, err error) {
	if err := limits().CheckKey(key); err != nil {
		return 0, err
	}
	_, maxID, err = s.counter("peek at", key).value(ctx)
	return maxID, err
}

// Raise is that of [store.Counters].
func (s *Store) Raise(ctx context.Context, key store.Key, to int64) (maxID int64, err error) {
	if err := limits().CheckRaise(key, to); err != nil {
		return 0, err
	}
	return s.counter("raise", key).update(ctx, func(at int64) (int64, error) { return max(at, to), nil })
}

// update moves the counter from where it stands to next of that.
func (r request) update(ctx context.Context, next func(at int64) (int64, error)) (maxID int64, err error) {
	err = r.tries(ctx, func() (done bool, err error) {
		text, at, err := r.value(ctx)
		if err != nil {
			return false, err
		}
		if maxID, err = next(at); err != nil {
			return false, r.failed(err)
		}
		if maxID == at {
			return true, nil
		}
		return r.put(ctx, r.holds(text), format(maxID))
	})
	if err != nil {
		return 0, err
	}
	return maxID, nil
}

// value reads the counter, as text and as a number.
func (r request) value(ctx context.Context) (text string, n int64, err error) {
	text, found, err := r.get(ctx)
	switch {
	case err != nil:
		return "", 0, err
	case !found:
		return "", 0, r.failed(store.ErrNoCounter)
	}
	if n, err = parse(text); err != nil {
		return "", 0, r.failed(err)
	}
	return text, n, nil
}

func format(n int64) string { return strconv.FormatInt(n, 10) }

// parse takes the one text that format gives a number.
func parse(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || format(n) != text {
		return 0, fmt.Errorf("%w: it holds %.64q, want a number from 0 to %d", ErrNotCounter, text, int64(math.MaxInt64))
	}
	return n, nil
}
