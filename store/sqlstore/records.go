package sqlstore

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/stampid/go-stamp/store"
)

// Get is that of [store.Records].
func (s *Store) Get(ctx context.Context, key store.Key) (value []byte, err error) {
	if err := s.recordLimits().CheckKey(key); err != nil {
		return nil, err
	}
	name := key.String()
	return do(ctx, s, describe("get", name), func(ctx context.Context, c *conn) (value []byte, err error) {
		_, err = c.look(ctx, []any{&value}, s.statements.get, s.recordName(name))
		return value, err
	})
}

// GetExpiring is that of [store.Expiring], by the server's clock.
func (s *Store) GetExpiring(ctx context.Context, key store.Key) (value []byte, left time.Duration, err error) {
	if err := s.recordLimits().CheckKey(key); err != nil {
		return nil, 0, err
	}
	type found struct {
		value []byte
		left  int64 // milliseconds
	}
	name := key.String()
	f, err := do(ctx, s, describe("get", name), func(ctx context.Context, c *conn) (f found, err error) {
		_, err = c.look(ctx, []any{&f.value, &f.left}, s.statements.left, s.recordName(name))
		return f, err
	})
	if err != nil {
		return nil, 0, err
	}
	return f.value, time.Duration(max(f.left, 0)) * time.Millisecond, nil
}

// CompareAndSet is that of [store.Records].
func (s *Store) CompareAndSet(ctx context.Context, key store.Key, old, value []byte) error {
	if err := s.recordLimits().CheckCompareAndSet(key, old, value); err != nil {
		return err
	}
	return s.compareAndSet(ctx, key, old, value, 0)
}

// CompareAndSetExpiring is that of [store.Expiring].
func (s *Store) CompareAndSetExpiring(ctx context.Context, key store.Key, old, value []byte, ttl time.Duration) error {
	if err := s.recordLimits().CheckCompareAndSetExpiring(key, old, value, ttl); err != nil {
		return err
	}
	return s.compareAndSet(ctx, key, old, value, ttl)
}

func (s *Store) compareAndSet(ctx context.Context, key store.Key, old, value []byte, ttl time.Duration) error {
	// The caller may leave, and use its slices, before the driver is done.
	old, value = bytes.Clone(old), bytes.Clone(value)
	name := key.String()
	_, err := do(ctx, s, describe("compare and set", name), func(ctx context.Context, c *conn) (struct{}, error) {
		changed, err := c.replace(ctx, s.recordName(name), old, value, ttl.Milliseconds())
		if err == nil && !changed {
			err = fmt.Errorf("%w: %q", store.ErrConflict, name)
		}
		return struct{}{}, err
	})
	return err
}

// replace gives the record ttl milliseconds to live.
func (c *conn) replace(ctx context.Context, name any, old, value []byte, ttl int64) (changed bool, err error) {
	if len(old) == 0 {
		return c.insert(ctx, c.store.statements.insert, name, value, ttl)
	}
	changed, err = c.change(ctx, c.store.statements.update, value, ttl, name, old)
	if err == nil && !changed {
		err = c.checkAutocommit(ctx)
	}
	return changed, err
}

// recordName is the name of a record as a parameter: MySQL's column holds bytes,
// so that no character set gets at them.
func (s *Store) recordName(name string) any {
	if s.dialect == MySQL {
		return []byte(name)
	}
	return name
}
