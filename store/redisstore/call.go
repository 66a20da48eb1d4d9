package redisstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
)

// request is one script for one key, or two.
type request struct {
	script script
	key    string
	second string // empty: none
	args   []any
}

// answer is how a script ended.
type answer struct{ word, value, more string }

// once is a command that go-redis doesn't send again, whatever its client's
// settings are.
type once struct{ *redis.Cmd }

// NoRetry overrides the method of redis.Cmd.
func (once) NoRetry() bool { return true }

// command returns what is sent for r.
func (r request) command(ctx context.Context) once {
	keys := []any{1, r.key}
	if r.second != "" {
		keys = []any{2, r.key, r.second}
	}
	args := slices.Concat([]any{"EVAL", r.script.source}, keys, r.args)
	cmd := redis.NewCmd(ctx, args...)
	cmd.SetFirstKeyPos(3)
	return once{cmd}
}

// do sends a request, and waits for its answer or for the end of ctx, which the
// client alone would not notice while it reads.
func (s *Store) do(ctx context.Context, r request) (answer, error) {
	if err := ctx.Err(); err != nil {
		return answer{}, r.failed(err)
	}
	cmd := r.command(ctx)
	done := make(chan error, 1)
	go func() { done <- s.client.Process(ctx, cmd) }()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		select {
		case err = <-done:
		default:
			return answer{}, r.doubtful(ctx.Err())
		}
	}
	switch {
	case err == nil:
		return r.read(cmd.Val())
	case wasNotSent(err):
		return answer{}, r.failed(err)
	}
	return answer{}, r.doubtful(withEnd(ctx, err))
}

// withEnd adds to err that ctx has ended, if so: a client that heeds deadlines
// says no more than that it timed out, and may say so before ctx does.
func withEnd(ctx context.Context, err error) error {
	end := ctx.Err()
	if deadline, ok := ctx.Deadline(); end == nil && ok && !time.Now().Before(deadline) {
		end = context.DeadlineExceeded
	}
	if end == nil || errors.Is(err, end) {
		return err
	}
	return fmt.Errorf("%w: %w", end, err)
}

// read makes an answer of what the script returned.
func (r request) read(reply any) (answer, error) {
	var texts [3]string
	list, ok := reply.([]any)
	if !ok || len(list) == 0 || len(list) > len(texts) {
		return answer{}, r.doubtful(fmt.Errorf("the server answered %T of another form", reply))
	}
	for i, element := range list {
		if texts[i], ok = element.(string); !ok {
			return answer{}, r.doubtful(fmt.Errorf("the server answered with %T, want string", element))
		}
	}
	return answer{texts[0], texts[1], texts[2]}, nil
}
