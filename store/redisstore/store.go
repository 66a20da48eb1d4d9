package redisstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/redis/go-redis/v9"

	"github.com/stampid/go-stamp/store"
)

// The longest key and the largest record, in bytes. A key is a [store.Key] as
// text, without what this package adds to it.
const (
	MaxKey   = 512
	MaxValue = 64 << 10
)

// DefaultPrefix is what CosId's keys begin with.
const DefaultPrefix = "cosid"

// maxPrefix is the length of the longest prefix, in bytes.
const maxPrefix = 64

// Options are the settings of a store. The zero value shares its counters with
// Java programs.
type Options struct {
	// Prefix is what keys begin with, before a colon: 1 to 64 bytes of UTF-8
	// without braces and NUL. Empty: [DefaultPrefix], the only one that CosId
	// has. Stores with different prefixes have nothing in common.
	Prefix string
}

// Store keeps [store.Counters] and [store.Records] in Redis. Make it with [New].
// It is safe for concurrent use. It has nothing to close.
type Store struct {
	client redis.UniversalClient
	prefix string
}

// New returns a store over a *redis.Client, that of a Sentinel included, or a
// *redis.ClusterClient, whose MaxRetries is -1 and whose time-outs are on; see
// [NewClient]. Hooks of the client must not send commands again. It doesn't
// connect.
//
// Errors are [ErrClient] and [ErrPrefix]. The caller keeps and closes the client.
func New(client redis.UniversalClient, options Options) (*Store, error) {
	prefix := cmp.Or(options.Prefix, DefaultPrefix)
	if err := errors.Join(checkClient(client), checkPrefix(prefix)); err != nil {
		return nil, err
	}
	return &Store{client: client, prefix: prefix}, nil
}

func checkPrefix(prefix string) error {
	if len(prefix) > maxPrefix || !utf8.ValidString(prefix) || strings.ContainsAny(prefix, "{}\x00") {
		return fmt.Errorf("%w: %.*q, want at most %d bytes of UTF-8 without braces and NUL", ErrPrefix, maxPrefix, prefix, maxPrefix)
	}
	return nil
}

func limits() store.Limits { return store.Limits{MaxKey: MaxKey, MaxValue: MaxValue} }

// Create is that of [store.Counters].
func (s *Store) Create(ctx context.Context, key store.Key, start int64) (created bool, err error) {
	if err := limits().CheckCreate(key, start); err != nil {
		return false, err
	}
	a, err := s.do(ctx, request{script: create, key: s.counterKey(key), args: []any{decimal(start)}})
	return a.word == wordDone, err
}

// Allocate is that of [store.Counters].
func (s *Store) Allocate(ctx context.Context, key store.Key, n int64) (maxID int64, err error) {
	if err := limits().CheckAllocate(key, n); err != nil {
		return 0, err
	}
	r := request{script: allocate, key: s.counterKey(key), args: []any{decimal(n)}}
	a, err := s.do(ctx, r)
	if err == nil && a.word == wordFull {
		return 0, r.failed(fmt.Errorf("%w: it stands at %s, no room for %d more", store.ErrExhausted, a.value, n))
	}
	return r.counter(a, err)
}

// Peek is that of [store.Counters].
func (s *Store) Peek(ctx context.Context, key store.Key) (maxID int64, err error) {
	if err := limits().CheckKey(key); err != nil {
		return 0, err
	}
	r := request{script: peek, key: s.counterKey(key)}
	return r.counter(s.do(ctx, r))
}

// Raise is that of [store.Counters].
func (s *Store) Raise(ctx context.Context, key store.Key, to int64) (maxID int64, err error) {
	if err := limits().CheckRaise(key, to); err != nil {
		return 0, err
	}
	r := request{script: raise, key: s.counterKey(key), args: []any{decimal(to)}}
	return r.counter(s.do(ctx, r))
}

// Get is that of [store.Records].
func (s *Store) Get(ctx context.Context, key store.Key) (value []byte, err error) {
	if err := limits().CheckKey(key); err != nil {
		return nil, err
	}
	a, err := s.do(ctx, request{script: get, key: s.recordKey(key)})
	if err != nil || a.word == wordNone {
		return nil, err
	}
	return []byte(a.value), nil
}

// GetExpiring is that of [store.Expiring], by the server's clock.
func (s *Store) GetExpiring(ctx context.Context, key store.Key) (value []byte, ttl time.Duration, err error) {
	if err := limits().CheckKey(key); err != nil {
		return nil, 0, err
	}
	r := request{script: left, key: s.recordKey(key), second: s.aliveKey(key)}
	a, err := s.do(ctx, r)
	if err != nil || a.word == wordNone {
		return nil, 0, err
	}
	milliseconds, err := strconv.ParseInt(a.more, 10, 64)
	if err != nil {
		return nil, 0, r.failed(fmt.Errorf("the server answered %.64q, want a number of milliseconds", a.more))
	}
	return []byte(a.value), time.Duration(milliseconds) * time.Millisecond, nil
}

// CompareAndSet is that of [store.Records].
func (s *Store) CompareAndSet(ctx context.Context, key store.Key, old, value []byte) error {
	if err := limits().CheckCompareAndSet(key, old, value); err != nil {
		return err
	}
	return s.compareAndSet(ctx, key, old, value, 0)
}

// CompareAndSetExpiring is that of [store.Expiring]. The time is kept by a second
// key, which ends in .alive, for as long as that is there.
func (s *Store) CompareAndSetExpiring(ctx context.Context, key store.Key, old, value []byte, ttl time.Duration) error {
	if err := limits().CheckCompareAndSetExpiring(key, old, value, ttl); err != nil {
		return err
	}
	return s.compareAndSet(ctx, key, old, value, ttl)
}

func (s *Store) compareAndSet(ctx context.Context, key store.Key, old, value []byte, ttl time.Duration) error {
	// Strings are copies: the caller may leave before they are sent.
	r := request{compareAndSet, s.recordKey(key), s.aliveKey(key), []any{string(old), string(value), decimal(ttl.Milliseconds())}}
	a, err := s.do(ctx, r)
	if err == nil && a.word == wordConflict {
		return r.failed(store.ErrConflict)
	}
	return err
}

func (s *Store) counterKey(key store.Key) string { return s.prefix + ":{" + key.String() + "}.adder" }

func (s *Store) recordKey(key store.Key) string { return s.prefix + ":{" + key.String() + "}.record" }

func (s *Store) aliveKey(key store.Key) string { return s.prefix + ":{" + key.String() + "}.alive" }

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// counter returns the value of the counter that a is about.
func (r request) counter(a answer, err error) (int64, error) {
	switch {
	case err != nil:
		return 0, err
	case a.word == wordNone:
		return 0, r.failed(store.ErrNoCounter)
	}
	n, err := strconv.ParseInt(a.value, 10, 64)
	if a.word != wordDone || err != nil {
		return 0, r.failed(fmt.Errorf("%w: it holds %.64q, want a number from 0 to %d", ErrNotCounter, a.value, int64(math.MaxInt64)))
	}
	return n, nil
}
