package filestore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/stampid/go-stamp/store"
)

// The longest key and the largest record, in bytes.
const (
	MaxKey   = 512
	MaxValue = 64 << 10
)

// Store keeps [store.Counters] and [store.Records] in a folder. Make it with
// [New]. It is safe for concurrent use, and any number of stores, in any number
// of processes of the machine, may share the folder.
type Store struct {
	folder folder
	disk   disk
	// turn has room for the one call that works on the folder. It keeps the
	// goroutines of a process from each blocking a thread at the lock.
	turn chan struct{}
	// doubtful is set from a swap until the folder was flushed, so that after a
	// failed flush the file is written anew: systems tell of a failed flush but
	// once. It belongs to who has the turn.
	doubtful bool
}

// New returns the store of a folder, which must exist: a mistyped one would
// else be an empty store. It makes the files that it needs.
//
// Errors are those of package os, and [errors.ErrUnsupported] on systems without
// locks. What the folder holds is read at each call.
func New(path string) (*Store, error) {
	if !canLock {
		return nil, fmt.Errorf("filestore: lock on %s: %w", runtime.GOOS, errors.ErrUnsupported)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("filestore: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("filestore: %w", &os.PathError{Op: "open", Path: path, Err: syscall.ENOTDIR})
	}
	absolute, err := filepath.Abs(path) // the working directory may change
	if err != nil {
		return nil, fmt.Errorf("filestore: %w", err)
	}
	return newStore(folder(absolute)), nil
}

func newStore(f folder) *Store {
	return &Store{folder: f, disk: f, turn: make(chan struct{}, 1)}
}

// LockFile is the path of the file that calls lock. It isn't there before the
// first call, and is never replaced. Who wants to know whether a folder is the
// one it was, and not a copy, remembers which file this is.
func (s *Store) LockFile() string { return s.folder.lockFile() }

func limits() store.Limits { return store.Limits{MaxKey: MaxKey, MaxValue: MaxValue} }

// Create is that of [store.Counters].
func (s *Store) Create(ctx context.Context, key store.Key, start int64) (created bool, err error) {
	if err := limits().CheckCreate(key, start); err != nil {
		return false, err
	}
	return do(ctx, s, func(ctx context.Context, m *store.Memory) (bool, error) { return m.Create(ctx, key, start) })
}

// Allocate is that of [store.Counters].
func (s *Store) Allocate(ctx context.Context, key store.Key, n int64) (maxID int64, err error) {
	if err := limits().CheckAllocate(key, n); err != nil {
		return 0, err
	}
	return do(ctx, s, func(ctx context.Context, m *store.Memory) (int64, error) { return m.Allocate(ctx, key, n) })
}

// Peek is that of [store.Counters].
func (s *Store) Peek(ctx context.Context, key store.Key) (maxID int64, err error) {
	if err := limits().CheckKey(key); err != nil {
		return 0, err
	}
	return do(ctx, s, func(ctx context.Context, m *store.Memory) (int64, error) { return m.Peek(ctx, key) })
}

// Raise is that of [store.Counters].
func (s *Store) Raise(ctx context.Context, key store.Key, to int64) (maxID int64, err error) {
	if err := limits().CheckRaise(key, to); err != nil {
		return 0, err
	}
	return do(ctx, s, func(ctx context.Context, m *store.Memory) (int64, error) { return m.Raise(ctx, key, to) })
}

// Get is that of [store.Records].
func (s *Store) Get(ctx context.Context, key store.Key) (value []byte, err error) {
	if err := limits().CheckKey(key); err != nil {
		return nil, err
	}
	return do(ctx, s, func(ctx context.Context, m *store.Memory) ([]byte, error) { return m.Get(ctx, key) })
}

// CompareAndSet is that of [store.Records].
func (s *Store) CompareAndSet(ctx context.Context, key store.Key, old, value []byte) error {
	if err := limits().CheckCompareAndSet(key, old, value); err != nil {
		return err
	}
	// The caller may leave, and use its slices, before the work is done.
	old, value = bytes.Clone(old), bytes.Clone(value)
	_, err := do(ctx, s, func(ctx context.Context, m *store.Memory) (struct{}, error) {
		return struct{}{}, m.CompareAndSet(ctx, key, old, value)
	})
	return err
}

// GetExpiring is that of [store.Expiring], by the clock of the machine. While
// that is set back, records live longer.
func (s *Store) GetExpiring(ctx context.Context, key store.Key) (value []byte, left time.Duration, err error) {
	if err := limits().CheckKey(key); err != nil {
		return nil, 0, err
	}
	type found struct {
		value []byte
		left  time.Duration
	}
	f, err := do(ctx, s, func(ctx context.Context, m *store.Memory) (f found, err error) {
		f.value, f.left, err = m.GetExpiring(ctx, key)
		return f, err
	})
	return f.value, f.left, err
}

// CompareAndSetExpiring is that of [store.Expiring].
func (s *Store) CompareAndSetExpiring(ctx context.Context, key store.Key, old, value []byte, ttl time.Duration) error {
	if err := limits().CheckCompareAndSetExpiring(key, old, value, ttl); err != nil {
		return err
	}
	old, value = bytes.Clone(old), bytes.Clone(value)
	_, err := do(ctx, s, func(ctx context.Context, m *store.Memory) (struct{}, error) {
		return struct{}{}, m.CompareAndSetExpiring(ctx, key, old, value, ttl)
	})
	return err
}
