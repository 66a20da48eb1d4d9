package etcdstore

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/stampid/go-stamp/store"
)

// The longest key and the largest record, in bytes. A key is a [store.Key] as
// text, without what this package adds to it.
const (
	MaxKey   = 512
	MaxValue = 64 << 10
)

// DefaultPrefix is what keys begin with.
const DefaultPrefix = "/cosid"

// maxPrefix is the length of the longest prefix, in bytes.
const maxPrefix = 256

// Options are the settings of a store.
type Options struct {
	// Prefix is what the keys of counters begin with, before a slash. Those of
	// records begin with Prefix + "-records/". 1 to 256 bytes of UTF-8 without
	// NUL, and without a slash at the end. Empty: [DefaultPrefix]. Stores of
	// different prefixes have nothing in common.
	Prefix string
}

// Store keeps [store.Counters] and [store.Records] in etcd. Make it with [New].
// It is safe for concurrent use. It has nothing to close.
type Store struct {
	kv        clientv3.KV
	leases    clientv3.Lease
	prefix    string
	conflicts atomic.Uint64
}

// New returns a store over a client. It asks the server nothing. It uses the
// client's connection, not its KV, so that a namespace which was put around that
// has no effect: it belongs into the prefix.
//
// Errors are [ErrClient] and [ErrPrefix]. The caller keeps and closes the client.
func New(client *clientv3.Client, options Options) (*Store, error) {
	prefix := cmp.Or(options.Prefix, DefaultPrefix)
	if err := errors.Join(checkClient(client), checkPrefix(prefix)); err != nil {
		return nil, err
	}
	kv := clientv3.NewKVFromKVClient(once{clientv3.RetryKVClient(client)}, client)
	return &Store{kv: kv, leases: clientv3.NewLease(client), prefix: prefix}, nil
}

func checkClient(client *clientv3.Client) error {
	if client == nil || client.ActiveConnection() == nil {
		return fmt.Errorf("%w: it has no connection, want one of clientv3.New", ErrClient)
	}
	return nil
}

func checkPrefix(prefix string) error {
	if len(prefix) > maxPrefix || !utf8.ValidString(prefix) || strings.ContainsRune(prefix, 0) || strings.HasSuffix(prefix, "/") {
		return fmt.Errorf("%w: %.*q, want at most %d bytes of UTF-8 without NUL and without a slash at the end", ErrPrefix, maxPrefix, prefix, maxPrefix)
	}
	return nil
}

// Conflicts returns how often since New a call found that another one had been
// faster, and had to try again.
func (s *Store) Conflicts() uint64 { return s.conflicts.Load() }

func limits() store.Limits { return store.Limits{MaxKey: MaxKey, MaxValue: MaxValue} }

func (s *Store) counter(what string, key store.Key) request {
	return request{store: s, what: what, key: s.prefix + "/" + key.String()}
}

func (s *Store) record(what string, key store.Key) request {
	return request{store: s, what: what, key: s.prefix + "-records/" + key.String()}
}
