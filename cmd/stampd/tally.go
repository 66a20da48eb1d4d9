package main

import (
	"context"
	"errors"
	"sync"

	"github.com/stampid/go-stamp/cmd/internal/cli"
	"github.com/stampid/go-stamp/store"
)

// tally is a store that counts what is reserved from it.
type tally struct {
	store.Counters

	mu       sync.Mutex
	reserved int64 // for certain
	unknown  int64 // in calls that haven't returned, or without a known outcome
}

// Allocate is that of store.Counters.
func (t *tally) Allocate(ctx context.Context, key store.Key, n int64) (maxID int64, err error) {
	t.add(0, n)
	maxID, err = t.Counters.Allocate(ctx, key, n)
	switch {
	case err == nil:
		t.add(n, -n)
	case !errors.Is(err, store.ErrUnknownOutcome):
		t.add(0, -n)
	}
	return maxID, err
}

func (t *tally) add(reserved, unknown int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reserved += reserved
	t.unknown += unknown
}

// report says what was reserved and is lost, after out has printed numbers.
func (t *tally) report(s *streams, out *cli.LineWriter) {
	t.mu.Lock()
	defer t.mu.Unlock()
	atMost := ""
	if out.Unsure {
		atMost = "up to "
	}
	if lost := t.reserved - out.Lines; lost > 0 {
		s.report("%s%d reserved numbers were not printed, and are dropped", atMost, lost)
	}
	if t.unknown > 0 {
		s.report("%d numbers may have been reserved, and are dropped", t.unknown)
	}
}
