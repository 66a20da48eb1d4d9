package zkstore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

const (
	// maxInFlight is how many calls of one store may be inside the client. When
	// no server answers, those whose callers have left stay there.
	maxInFlight = 128

	// maxTries is how often a write is tried that others are faster than.
	maxTries = 40

	// The pause before another try is a random part of firstPause, doubled with
	// each try up to longestPause.
	firstPause   = 4 * time.Millisecond
	longestPause = 400 * time.Millisecond
)

// call runs one call of the client, which knows no context, and waits for it or
// for the end of ctx. A call that is left behind goes on: the client sends it if
// and when it has a connection.
func call[T any](ctx context.Context, s *Store, f func() (T, error)) (value T, err error) {
	if ctx.Err() != nil {
		return value, fmt.Errorf("%w: %w", errNotSent, ctx.Err())
	}
	select {
	case s.inFlight <- struct{}{}:
	case <-ctx.Done():
		return value, fmt.Errorf("%w: %w", errNotSent, ctx.Err())
	}
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		v, err := f()
		<-s.inFlight
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.value, r.err
	default:
		return value, ctx.Err()
	}
}

// tries does work until it is done, which it isn't when others were faster, and
// counts how often that was.
func (r request) tries(ctx context.Context, work func(again bool) (done bool, err error)) error {
	pause := firstPause
	for try := 1; ; try++ {
		done, err := work(try > 1)
		if done || err != nil {
			return err
		}
		r.store.conflicts.Add(1)
		if try == maxTries {
			return r.failed(fmt.Errorf("%w: %d tries", ErrContention, try))
		}
		if err := wait(ctx, rand.N(pause)); err != nil {
			return r.failed(err)
		}
		pause = min(2*pause, longestPause)
	}
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
