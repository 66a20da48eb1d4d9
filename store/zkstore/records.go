package zkstore

import (
	"bytes"
	"context"
	"errors"

	"github.com/stampid/go-stamp/store"
)

// Get is that of [store.Records].
func (s *Store) Get(ctx context.Context, key store.Key) (value []byte, err error) {
	if err := errors.Join(limits().CheckKey(key), checkNames(key)); err != nil {
		return nil, err
	}
	n, err := s.record("get", key).read(ctx, true)
	if err != nil || len(n.data) == 0 {
		return nil, err
	}
	return n.data, nil
}

// CompareAndSet is that of [store.Records].
func (s *Store) CompareAndSet(ctx context.Context, key store.Key, old, value []byte) error {
	if err := errors.Join(limits().CheckCompareAndSet(key, old, value), checkNames(key)); err != nil {
		return err
	}
	// The caller may leave, and use its slice, before the client has sent it.
	value = bytes.Clone(value)
	r := s.record("compare and set", key)
	return r.tries(ctx, func(bool) (done bool, err error) {
		// An old copy of the record would make a conflict where there is none.
		n, err := r.read(ctx, true)
		switch {
		case err != nil:
			return false, err
		case !bytes.Equal(n.data, old):
			return false, r.failed(store.ErrConflict)
		case n.found:
			return r.replace(ctx, n, value)
		}
		return r.create(ctx, value)
	})
}

func (s *Store) record(what string, key store.Key) request {
	return request{store: s, what: what, path: s.records + "/" + key.String()}
}
