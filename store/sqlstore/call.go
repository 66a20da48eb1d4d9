package sqlstore

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/stampid/go-stamp/store"
)

const (
	// maxTries is how often a statement is sent that was not applied. Under
	// serializable isolation most statements that run at the same time fail.
	maxTries = 30

	// The pause before another try is a random part of firstPause, doubled with
	// each try up to longestPause.
	firstPause   = 2 * time.Millisecond
	longestPause = 200 * time.Millisecond
)

// answer is what a call returns.
type answer[T any] struct {
	value T
	err   error
}

// do makes a call. The work is done in a goroutine, since not all drivers return
// when their context ends: SQLite's wait for locks, for one. Once the caller has
// left, no statement is sent that changes something.
func do[T any](ctx context.Context, s *Store, what string, work func(context.Context, *conn) (T, error)) (T, error) {
	var none T
	if ctx.Err() != nil {
		return none, failed(what, ctx.Err())
	}
	var g gate
	done := make(chan answer[T], 1)
	go func() {
		value, err := tries(ctx, s, &g, work)
		done <- answer[T]{value, err}
	}()
	var a answer[T]
	select {
	case a = <-done:
	case <-ctx.Done():
		if g.giveUp() {
			return none, failed(what, ctx.Err())
		}
		select {
		case a = <-done:
		default:
			return none, failed(what, unknown(ctx.Err()))
		}
	}
	switch {
	case a.err == nil:
		return a.value, nil
	case isAnswer(a.err):
		return none, a.err
	case ctx.Err() != nil && !errors.Is(a.err, ctx.Err()): // drivers say it in their own words
		a.err = fmt.Errorf("%w: %w", ctx.Err(), a.err)
	}
	return none, failed(what, a.err)
}

// isAnswer tells whether an error is what the contract says of a state, with
// which the context has nothing to do.
func isAnswer(err error) bool {
	return errors.Is(err, store.ErrNoCounter) || errors.Is(err, store.ErrExhausted) || errors.Is(err, store.ErrConflict)
}

// tries works on connection after connection while what was sent was not applied.
func tries[T any](ctx context.Context, s *Store, g *gate, work func(context.Context, *conn) (T, error)) (T, error) {
	pause := firstPause
	for try := 1; ; try++ {
		value, err := once(ctx, s, g, work)
		var again *againError
		if !errors.As(err, &again) {
			return value, err
		}
		if again.pause {
			s.conflicts.Add(1)
		}
		if try == maxTries {
			return value, again.err
		}
		if again.pause {
			if waitErr := wait(ctx, rand.N(pause)); waitErr != nil {
				return value, fmt.Errorf("%w: %w", waitErr, again.err)
			}
			pause = min(2*pause, longestPause)
		}
	}
}

func once[T any](ctx context.Context, s *Store, g *gate, work func(context.Context, *conn) (T, error)) (value T, err error) {
	// A connection of its own tells what fails before anything was sent, and
	// keeps database/sql from repeating statements.
	opened, err := s.db.Conn(ctx)
	if err != nil {
		return value, err
	}
	defer func() { _ = opened.Close() }() // back to the pool
	return work(ctx, &conn{opened: opened, store: s, gate: g})
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// againError says that nothing was applied and that another try may succeed.
type againError struct {
	err   error
	pause bool // others are in the way
}

func (e *againError) Error() string { return e.err.Error() }

func (e *againError) Unwrap() error { return e.err }

func failed(what string, err error) error { return fmt.Errorf("sqlstore: %s: %w", what, err) }

func unknown(err error) error { return fmt.Errorf("%w: %w", store.ErrUnknownOutcome, err) }

// verdict wraps the error of a statement that changes something, and opens the
// gate if it was not applied.
func (c *conn) verdict(err error) error {
	switch c.store.classify(err) {
	case Refused:
		c.gate.land()
		return err
	case Again:
		c.gate.land()
		return again(err)
	default:
		return unknown(err)
	}
}

// again is the error of a statement that is worth another try, which need not
// wait if it is only the connection that was of no use.
func again(err error) error {
	return &againError{err: err, pause: !errors.Is(err, driver.ErrBadConn)}
}

// gate tells a caller that leaves whether a statement is under way whose outcome
// it doesn't learn, and keeps statements back once it has left.
type gate struct{ state atomic.Int32 }

const (
	idle int32 = iota
	flying
	left
)

// fly tells whether a statement may be sent.
func (g *gate) fly() bool { return g.state.CompareAndSwap(idle, flying) }

// land says that the statement had no effect.
func (g *gate) land() { g.state.CompareAndSwap(flying, idle) }

// giveUp tells whether nothing was or will be applied.
func (g *gate) giveUp() bool { return g.state.CompareAndSwap(idle, left) }
