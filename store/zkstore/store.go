package zkstore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/go-zookeeper/zk"

	"github.com/stampid/go-stamp/store"
)

// Store keeps [store.Counters] and [store.Records] in ZooKeeper. Make it with
// [New]. It is safe for concurrent use. It has nothing to close.
type Store struct {
	conn              conn
	counters, records string
	acl               []zk.ACL
	inFlight          chan struct{}
	conflicts         atomic.Uint64
}

// New returns a store over a connection. It asks the server nothing. The caller
// keeps the connection, adds credentials to it if need be, and closes it, with
// which calls that hang in it end.
//
// Errors are [ErrClient] and [ErrPath].
func New(client *zk.Conn, options Options) (*Store, error) {
	var clientErr error
	if client == nil {
		clientErr = fmt.Errorf("%w: it is nil", ErrClient)
	}
	counters, records, pathErr := options.roots()
	if err := errors.Join(clientErr, pathErr); err != nil {
		return nil, err
	}
	return newStore(client, counters, records, options.ACL), nil
}

func newStore(client conn, counters, records string, acl []zk.ACL) *Store {
	if len(acl) == 0 {
		acl = zk.WorldACL(zk.PermAll)
	}
	return &Store{
		conn: client, counters: counters, records: records, acl: slices.Clone(acl),
		inFlight: make(chan struct{}, maxInFlight),
	}
}

// Conflicts returns how often since New a call found that another one had been
// faster, and had to try again.
func (s *Store) Conflicts() uint64 { return s.conflicts.Load() }

// Create is that of [store.Counters].
func (s *Store) Create(ctx context.Context, key store.Key, start int64) (created bool, err error) {
	if err := errors.Join(limits().CheckCreate(key, start), checkNames(key)); err != nil {
		return false, err
	}
	r := s.counter("create", key)
	// Most counters are there already, and a read leaves no doubt if it fails.
	n, err := r.read(ctx, false)
	if err != nil || n.found {
		return false, err
	}
	return r.create(ctx, encode(start))
}

// Allocate is that of [store.Counters].
func (s *Store) Allocate(ctx context.Context, key store.Key, n int64) (maxID int64, err error) {
	if err := errors.Join(limits().CheckAllocate(key, n), checkNames(key)); err != nil {
		return 0, err
	}
	return s.counter("allocate", key).update(ctx, false, func(at int64) (int64, error) {
		if n > math.MaxInt64-at {
			return 0, fmt.Errorf("%w: it stands at %d, no room for %d more", store.ErrExhausted, at, n)
		}
		return at + n, nil
	})
}

// Peek is that of [store.Counters].
func (s *Store) Peek(ctx context.Context, key store.Key) (maxID int64, err error) {
	if err := errors.Join(limits().CheckKey(key), checkNames(key)); err != nil {
		return 0, err
	}
	r := s.counter("peek at", key)
	n, err := r.read(ctx, true)
	if err != nil {
		return 0, err
	}
	return r.value(n)
}

// Raise is that of [store.Counters].
func (s *Store) Raise(ctx context.Context, key store.Key, to int64) (maxID int64, err error) {
	if err := errors.Join(limits().CheckRaise(key, to), checkNames(key)); err != nil {
		return 0, err
	}
	return s.counter("raise", key).update(ctx, true, func(at int64) (int64, error) { return max(at, to), nil })
}

func (s *Store) counter(what string, key store.Key) request {
	return request{store: s, what: what, path: s.counters + "/" + key.String()}
}

// update moves the counter from where it stands to next of that.
func (r request) update(ctx context.Context, fresh bool, next func(at int64) (int64, error)) (maxID int64, err error) {
	err = r.tries(ctx, func(again bool) (done bool, err error) {
		n, err := r.read(ctx, fresh || again)
		if err != nil {
			return false, err
		}
		at, err := r.value(n)
		if err != nil {
			return false, err
		}
		if maxID, err = next(at); err != nil {
			return false, r.failed(err)
		}
		if maxID == at {
			return true, nil
		}
		return r.replace(ctx, n, encode(maxID))
	})
	if err != nil {
		return 0, err
	}
	return maxID, nil
}

// value returns what the counter stands at.
func (r request) value(n node) (int64, error) {
	if !n.found {
		return 0, r.failed(store.ErrNoCounter)
	}
	at, err := decode(n.data)
	if err != nil {
		return 0, r.failed(err)
	}
	return at, nil
}

// encode returns the form that Curator's DistributedAtomicLong has.
func encode(n int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }

func decode(data []byte) (int64, error) {
	if len(data) != 8 {
		return 0, fmt.Errorf("%w: it holds %d bytes, want 8", ErrNotCounter, len(data))
	}
	n := int64(binary.BigEndian.Uint64(data))
	if n < 0 {
		return 0, fmt.Errorf("%w: it holds %d, want 0 to %d", ErrNotCounter, n, int64(math.MaxInt64))
	}
	return n, nil
}
