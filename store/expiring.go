package store

import (
	"context"
	"time"
)

// Expiring is what stores can do whose records run out by a time of the store's
// own, so that the clocks of its clients have no part in it: node leases need it.
// A record that has run out is there as before; only its time to live is over.
//
// Limits, errors and outcomes are those of [Records]. The memory store, filestore
// and sqlstore have it, as have redisstore and etcdstore, and proxystore if what
// it serves has it.
type Expiring interface {
	Records
	// GetExpiring is Get, and tells for how long the record has still to live: 0
	// if its time is over, or it never had one, or there is no record. It is exact
	// to about a second.
	GetExpiring(ctx context.Context, key Key) (value []byte, left time.Duration, err error)
	// CompareAndSetExpiring is CompareAndSet, and gives the record ttl to live, 1
	// ms to [MaxTTL], from now on. A plain CompareAndSet ends that time. A store
	// may round ttl up to whole seconds.
	CompareAndSetExpiring(ctx context.Context, key Key, old, value []byte, ttl time.Duration) error
}

// MaxTTL is the longest time to live of a record.
const MaxTTL = 30 * 24 * time.Hour

// CheckCompareAndSetExpiring checks the arguments of [Expiring].CompareAndSetExpiring.
func (l Limits) CheckCompareAndSetExpiring(key Key, old, value []byte, ttl time.Duration) error {
	var violation error
	if ttl < time.Millisecond || ttl > MaxTTL {
		violation = &ArgumentError{Field: "ttl", Value: ttl, Bound: time.Millisecond.String() + " to " + MaxTTL.String()}
	}
	return joined(l.CheckCompareAndSet(key, old, value), violation)
}
