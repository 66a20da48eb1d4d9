package filestore

import (
	"bytes"
	"context"
	"fmt"
	"sync/atomic"

	"github.com/stampid/go-stamp/store"
)

// answer is what a call returns.
type answer[T any] struct {
	value T
	err   error
}

// do runs change on what the folder holds, under the lock, and stores what it
// made of it. The work is done in a goroutine, so that a caller can leave while
// the lock or the disk keeps it; only one per store works at a time.
func do[T any](ctx context.Context, s *Store, change func(context.Context, *store.Memory) (T, error)) (T, error) {
	var none T
	if ctx.Err() != nil {
		return none, s.failed(ctx.Err())
	}
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return none, s.failed(ctx.Err())
	}
	var g gate
	done := make(chan answer[T], 1)
	go func() {
		defer func() { <-s.turn }()
		value, err := work(ctx, s, &g, change)
		done <- answer[T]{value, err}
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
	}
	if g.giveUp() {
		return none, s.failed(ctx.Err())
	}
	select {
	case a := <-done:
		return a.value, a.err
	default:
		return none, s.unknown(ctx.Err())
	}
}

func work[T any](ctx context.Context, s *Store, g *gate, change func(context.Context, *store.Memory) (T, error)) (T, error) {
	var none T
	unlock, err := s.disk.lock()
	if err != nil {
		return none, s.failed(err)
	}
	defer unlock()
	before, err := s.disk.read()
	if err != nil {
		return none, s.failed(err)
	}
	if before == nil {
		before = encode(store.Contents{})
	}
	contents, err := decode(s.folder.file(), before)
	if err != nil {
		return none, err
	}
	memory := store.NewMemory()
	memory.Restore(contents)
	value, err := change(ctx, memory)
	if err != nil {
		return none, err
	}
	after := encode(memory.Contents())
	if bytes.Equal(before, after) && !s.doubtful {
		// Whoever wrote this may have died before the folder was flushed.
		if err := s.disk.sync(); err != nil {
			return none, s.failed(err)
		}
		return value, nil
	}
	if err := s.disk.write(after); err != nil {
		return none, s.failed(err)
	}
	if !g.commit() {
		return none, s.failed(ctx.Err())
	}
	s.doubtful = true
	if err := s.disk.swap(); err != nil {
		return none, s.unknown(err)
	}
	if err := s.disk.sync(); err != nil {
		return none, s.unknown(err)
	}
	s.doubtful = false
	return value, nil
}

func (s *Store) failed(err error) error {
	return fmt.Errorf("filestore: %s: %w", string(s.folder), err)
}

func (s *Store) unknown(err error) error {
	return fmt.Errorf("filestore: %s: %w: %w", string(s.folder), store.ErrUnknownOutcome, err)
}

// gate decides between a caller that leaves and the change that it asked for:
// the first to come wins, so that a caller who leaves first knows that there
// will be no change.
type gate struct{ decided atomic.Bool }

// commit tells whether the change may take place.
func (g *gate) commit() bool { return g.decided.CompareAndSwap(false, true) }

// giveUp tells whether the change will not take place.
func (g *gate) giveUp() bool { return g.decided.CompareAndSwap(false, true) }
