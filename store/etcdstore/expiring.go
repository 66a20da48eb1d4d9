package etcdstore

import (
	"context"
	"fmt"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/stampid/go-stamp/store"
)

// GetExpiring is that of [store.Expiring], by etcd's own time: a second key is
// attached to a lease of etcd's, and is there for as long as the record has to
// live. When another member becomes the leader, leases begin anew.
func (s *Store) GetExpiring(ctx context.Context, key store.Key) (value []byte, left time.Duration, err error) {
	if err := limits().CheckKey(key); err != nil {
		return nil, 0, err
	}
	r := s.record("get", key)
	if err := ctx.Err(); err != nil {
		return nil, 0, r.failed(err)
	}
	resp, err := s.kv.Txn(ctx).Then(clientv3.OpGet(r.key), clientv3.OpGet(s.alive(key))).Commit()
	switch {
	case err != nil:
		return nil, 0, r.failed(withEnd(ctx, err))
	case len(resp.Responses) != 2:
		return nil, 0, r.failed(fmt.Errorf("the server answered %d of 2 reads", len(resp.Responses)))
	}
	record, alive := resp.Responses[0].GetResponseRange().Kvs, resp.Responses[1].GetResponseRange().Kvs
	switch {
	case len(record) == 0:
		return nil, 0, nil
	case len(alive) == 0:
		return record[0].Value, 0, nil
	}
	lease, err := s.leases.TimeToLive(ctx, clientv3.LeaseID(alive[0].Lease))
	if err != nil {
		return nil, 0, r.failed(withEnd(ctx, err))
	}
	// Whole seconds, rounded down, or -1 for a lease that is over.
	return record[0].Value, time.Duration(lease.TTL+1) * time.Second, nil
}

// CompareAndSetExpiring is that of [store.Expiring]. Etcd's leases last for whole
// seconds, and for no less than some election time-outs of its servers.
func (s *Store) CompareAndSetExpiring(ctx context.Context, key store.Key, old, value []byte, ttl time.Duration) error {
	if err := limits().CheckCompareAndSetExpiring(key, old, value, ttl); err != nil {
		return err
	}
	r := s.record("compare and set", key)
	if err := ctx.Err(); err != nil {
		return r.failed(err)
	}
	// A lease that ends up with no key is over after ttl too.
	lease, err := s.leases.Grant(ctx, int64((ttl+time.Second-1)/time.Second))
	if err != nil {
		return r.failed(withEnd(ctx, err))
	}
	return r.replace(ctx, old, value, clientv3.OpPut(s.alive(key), "", clientv3.WithLease(lease.ID)))
}

// alive is the key beside a record that lives for as long as it has to. Users who
// may write the one may write the other, and no record has a NUL in its key.
func (s *Store) alive(key store.Key) string { return s.record("", key).key + "\x00alive" }
