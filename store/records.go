package store

import "context"

// Records is what fences and leases are kept in: small values that are replaced
// by conditional writes. Nothing removes a record, since what it promises would
// go with it. Implementations are safe for concurrent use. A record and a
// counter of the same key have nothing to do with each other.
//
// The condition is the content, not a version: a store that was restored from a
// backup can reach an old version number again with other content, and would
// then let a write through whose author knows nothing of it. Values that must
// differ from all others, such as a fence's, hold a random token.
//
// As with [Counters], calls end when their context does, and a write without an
// answer is [ErrUnknownOutcome]. Its author finds out by Get: if the record is
// the value it wrote, it was written. So it does after an [ErrConflict] too, if
// something below the store, such as a client library or a proxy, may have sent
// the write twice.
type Records interface {
	// Get returns the value of a record, or nil if there is none. The value is
	// the caller's. It is as durable as what a successful CompareAndSet wrote,
	// also if the write that made it had no known outcome.
	Get(ctx context.Context, key Key) (value []byte, err error)

	// CompareAndSet makes value, of 1 byte or more, the record of key, if the
	// record is old until then, byte for byte; an empty old stands for no
	// record. Else it is [ErrConflict], and nothing changes. A store must hold
	// values of up to 1024 bytes. It keeps neither slice.
	CompareAndSet(ctx context.Context, key Key, old, value []byte) error
}
