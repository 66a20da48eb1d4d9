package store

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"sync"
	"time"
)

// Memory is a store within one process: for tests, and for programs whose ids
// need not outlive them. It has no limits of its own. Make it with [NewMemory].
type Memory struct {
	mu       sync.Mutex
	contents Contents
}

// Contents is all that a store holds, by [Key.String].
type Contents struct {
	Counters map[string]int64
	Records  map[string][]byte
	// Expires is when records run out that have a time to live.
	Expires map[string]time.Time
}

// NewMemory returns an empty store.
func NewMemory() *Memory {
	return &Memory{contents: Contents{}.clone()}
}

// Contents returns a copy of what the store holds.
func (m *Memory) Contents() Contents {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.contents.clone()
}

// Restore makes the store hold a copy of c and nothing else, as restoring a
// backup does, counters that are lower than before included.
func (m *Memory) Restore(c Contents) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.contents = c.clone()
}

// Create is that of [Counters].
func (m *Memory) Create(ctx context.Context, key Key, start int64) (created bool, err error) {
	if err := joined(Limits{}.CheckCreate(key, start), ctx.Err()); err != nil {
		return false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.contents.Counters[key.String()]; ok {
		return false, nil
	}
	m.contents.Counters[key.String()] = start
	return true, nil
}

// Allocate is that of [Counters].
func (m *Memory) Allocate(ctx context.Context, key Key, n int64) (maxID int64, err error) {
	if err := joined(Limits{}.CheckAllocate(key, n), ctx.Err()); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	maxID, err = m.contents.counter(key)
	if err != nil {
		return 0, err
	}
	if n > math.MaxInt64-maxID {
		return 0, fmt.Errorf("%w: %q stands at %d, no room for %d more", ErrExhausted, key.String(), maxID, n)
	}
	m.contents.Counters[key.String()] = maxID + n
	return maxID + n, nil
}

// Peek is that of [Counters].
func (m *Memory) Peek(ctx context.Context, key Key) (maxID int64, err error) {
	if err := joined(Limits{}.CheckKey(key), ctx.Err()); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.contents.counter(key)
}

// Raise is that of [Counters].
func (m *Memory) Raise(ctx context.Context, key Key, to int64) (maxID int64, err error) {
	if err := joined(Limits{}.CheckRaise(key, to), ctx.Err()); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	maxID, err = m.contents.counter(key)
	if err != nil {
		return 0, err
	}
	maxID = max(maxID, to)
	m.contents.Counters[key.String()] = maxID
	return maxID, nil
}

// Get is that of [Records].
func (m *Memory) Get(ctx context.Context, key Key) (value []byte, err error) {
	if err := joined(Limits{}.CheckKey(key), ctx.Err()); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return bytes.Clone(m.contents.Records[key.String()]), nil
}

// CompareAndSet is that of [Records].
func (m *Memory) CompareAndSet(ctx context.Context, key Key, old, value []byte) error {
	if err := joined(Limits{}.CheckCompareAndSet(key, old, value), ctx.Err()); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.contents.replace(key, old, value, time.Time{})
}

// GetExpiring is that of [Expiring], by the clock of the machine.
func (m *Memory) GetExpiring(ctx context.Context, key Key) (value []byte, left time.Duration, err error) {
	if err := joined(Limits{}.CheckKey(key), ctx.Err()); err != nil {
		return nil, 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if at, ok := m.contents.Expires[key.String()]; ok {
		left = max(time.Until(at), 0)
	}
	return bytes.Clone(m.contents.Records[key.String()]), left, nil
}

// CompareAndSetExpiring is that of [Expiring].
func (m *Memory) CompareAndSetExpiring(ctx context.Context, key Key, old, value []byte, ttl time.Duration) error {
	if err := joined(Limits{}.CheckCompareAndSetExpiring(key, old, value, ttl), ctx.Err()); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.contents.replace(key, old, value, time.Now().Add(ttl))
}

// replace makes value the record if that is old, with a time to live until
// expires, if that isn't zero.
func (c Contents) replace(key Key, old, value []byte, expires time.Time) error {
	name := key.String()
	if !bytes.Equal(c.Records[name], old) {
		return fmt.Errorf("%w: %q", ErrConflict, name)
	}
	c.Records[name] = bytes.Clone(value)
	delete(c.Expires, name)
	if !expires.IsZero() {
		c.Expires[name] = expires
	}
	return nil
}

func (c Contents) counter(key Key) (int64, error) {
	maxID, ok := c.Counters[key.String()]
	if !ok {
		return 0, fmt.Errorf("%w: %q", ErrNoCounter, key.String())
	}
	return maxID, nil
}

func (c Contents) clone() Contents {
	copied := Contents{Counters: map[string]int64{}, Records: map[string][]byte{}, Expires: map[string]time.Time{}}
	maps.Copy(copied.Counters, c.Counters)
	maps.Copy(copied.Expires, c.Expires)
	for key, value := range c.Records {
		copied.Records[key] = bytes.Clone(value)
	}
	return copied
}
