package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/stampid/go-stamp/store"
)

// Create is that of [store.Counters].
func (s *Store) Create(ctx context.Context, key store.Key, start int64) (created bool, err error) {
	if err := errors.Join(s.counterLimits().CheckCreate(key, start), s.checkEnd(key)); err != nil {
		return false, err
	}
	name := key.String()
	return do(ctx, s, describe("create", name), func(ctx context.Context, c *conn) (bool, error) {
		return c.insert(ctx, s.statements.create, name, start)
	})
}

// Allocate is that of [store.Counters].
func (s *Store) Allocate(ctx context.Context, key store.Key, n int64) (maxID int64, err error) {
	if err := errors.Join(s.counterLimits().CheckAllocate(key, n), s.checkEnd(key)); err != nil {
		return 0, err
	}
	name, highest := key.String(), math.MaxInt64-n
	return do(ctx, s, describe("allocate", name), func(ctx context.Context, c *conn) (int64, error) {
		maxID, changed, err := c.add(ctx, s.statements.allocate, n, name, highest)
		if changed || err != nil {
			return maxID, err
		}
		at, err := c.peek(ctx, name)
		switch {
		case err != nil:
			return 0, err
		case at > highest:
			return 0, fmt.Errorf("%w: %q stands at %d, no room for %d more", store.ErrExhausted, name, at, n)
		default:
			return 0, c.missed(ctx)
		}
	})
}

// Peek is that of [store.Counters].
func (s *Store) Peek(ctx context.Context, key store.Key) (maxID int64, err error) {
	if err := errors.Join(s.counterLimits().CheckKey(key), s.checkEnd(key)); err != nil {
		return 0, err
	}
	name := key.String()
	return do(ctx, s, describe("peek at", name), func(ctx context.Context, c *conn) (int64, error) { return c.peek(ctx, name) })
}

// Raise is that of [store.Counters].
func (s *Store) Raise(ctx context.Context, key store.Key, to int64) (maxID int64, err error) {
	if err := errors.Join(s.counterLimits().CheckRaise(key, to), s.checkEnd(key)); err != nil {
		return 0, err
	}
	name := key.String()
	return do(ctx, s, describe("raise", name), func(ctx context.Context, c *conn) (int64, error) {
		changed, err := c.change(ctx, s.statements.raise, to, name, to)
		if err != nil {
			return 0, err
		}
		if changed {
			return to, nil
		}
		at, err := c.peek(ctx, name)
		if err == nil && at < to {
			err = c.missed(ctx)
		}
		return at, err
	})
}

func describe(what, name string) string { return fmt.Sprintf("%s %q", what, name) }

// peek reads a counter.
func (c *conn) peek(ctx context.Context, name string) (maxID int64, err error) {
	found, err := c.look(ctx, []any{&maxID}, c.store.statements.peek, name)
	if err == nil && !found {
		err = fmt.Errorf("%w: %q", store.ErrNoCounter, name)
	}
	return maxID, err
}
