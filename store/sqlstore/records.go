package sqlstore

import (
	"bytes"
	"context"
	"fmt"

	"github.com/stampid/go-stamp/store"
)

// Get is that of [store.Records].
func (s *Store) Get(ctx context.Context, key store.Key) (value []byte, err error) {
	if err := s.recordLimits().CheckKey(key); err != nil {
		return nil, err
	}
	name := key.String()
	return do(ctx, s, describe("get", name), func(ctx context.Context, c *conn) (value []byte, err error) {
		_, err = c.look(ctx, &value, s.statements.get, s.recordName(name))
		return value, err
	})
}

// CompareAndSet is that of [store.Records].
func (s *Store) CompareAndSet(ctx context.Context, key store.Key, old, value []byte) error {
	if err := s.recordLimits().CheckCompareAndSet(key, old, value); err != nil {
		return err
	}
	// The caller may leave, and use its slices, before the driver is done.
	old, value = bytes.Clone(old), bytes.Clone(value)
	name := key.String()
	_, err := do(ctx, s, describe("compare and set", name), func(ctx context.Context, c *conn) (struct{}, error) {
		changed, err := c.replace(ctx, s.recordName(name), old, value)
		if err == nil && !changed {
			err = fmt.Errorf("%w: %q", store.ErrConflict, name)
		}
		return struct{}{}, err
	})
	return err
}

func (c *conn) replace(ctx context.Context, name any, old, value []byte) (changed bool, err error) {
	if len(old) == 0 {
		return c.insert(ctx, c.store.statements.insert, name, value)
	}
	changed, err = c.change(ctx, c.store.statements.update, value, name, old)
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
