package etcdstore

import (
	"context"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/stampid/go-stamp/store"
)

// Get is that of [store.Records].
func (s *Store) Get(ctx context.Context, key store.Key) (value []byte, err error) {
	if err := limits().CheckKey(key); err != nil {
		return nil, err
	}
	text, _, err := s.record("get", key).get(ctx)
	if err != nil || text == "" {
		return nil, err
	}
	return []byte(text), nil
}

// CompareAndSet is that of [store.Records].
func (s *Store) CompareAndSet(ctx context.Context, key store.Key, old, value []byte) error {
	if err := limits().CheckCompareAndSet(key, old, value); err != nil {
		return err
	}
	return s.record("compare and set", key).replace(ctx, old, value, clientv3.OpDelete(s.alive(key)))
}

// replace makes value the record, and does another thing with it.
func (r request) replace(ctx context.Context, old, value []byte, more clientv3.Op) error {
	condition := r.missing()
	if len(old) > 0 {
		condition = r.holds(string(old))
	}
	done, err := r.put(ctx, condition, string(value), more)
	if err == nil && !done {
		return r.failed(store.ErrConflict)
	}
	return err
}
