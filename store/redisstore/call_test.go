package redisstore

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

// tardy is a context whose deadline has passed, and which doesn't know it yet.
type tardy struct{ context.Context }

func (tardy) Err() error { return nil }

func TestWithEnd(t *testing.T) {
	late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	lost := errors.New("lost")
	for name, tt := range map[string]struct {
		ctx  context.Context
		err  error
		want string
	}{
		"goes on":             {t.Context(), lost, "lost"},
		"over":                {late, lost, "context deadline exceeded: lost"},
		"over, doesn't know":  {tardy{late}, os.ErrDeadlineExceeded, "context deadline exceeded: i/o timeout"},
		"over, has been said": {late, context.DeadlineExceeded, "context deadline exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			err := withEnd(tt.ctx, tt.err)
			require.EqualError(t, err, tt.want)
			require.ErrorIs(t, err, tt.err)
		})
	}
}

// A server that answers in another form may have done what it was asked for.
func TestRead(t *testing.T) {
	r := request{script: allocate, key: "k"}
	for _, reply := range []any{nil, "done", int64(1), []any{}, []any{"done", int64(1)}, []any{"done", "1", "2", "3"}, []any{nil}} {
		_, err := r.read(reply)
		require.ErrorIs(t, err, store.ErrUnknownOutcome, "%v", reply)
	}
	a, err := r.read([]any{"done", "1"})
	require.NoError(t, err)
	require.Equal(t, answer{"done", "1", ""}, a)
}
