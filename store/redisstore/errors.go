package redisstore

import (
	"errors"
	"fmt"
	"net"

	"github.com/redis/go-redis/v9"

	"github.com/stampid/go-stamp/store"
)

var (
	// ErrClient says that a client can't be used: it could send a change twice,
	// wait for ever, or reach several servers for one key.
	ErrClient = errors.New("redisstore: unsuitable client")
	// ErrPrefix says that a prefix of keys can't be used.
	ErrPrefix = errors.New("redisstore: invalid prefix")
	// ErrNotCounter says that the key of a counter holds a text that isn't a
	// number from 0 to MaxInt64. It is left as it is.
	ErrNotCounter = errors.New("redisstore: not a counter")
)

// wasNotSent tells whether err shows that a request never left, or that the
// server answered it with an error. Scripts change a key last, so an error that
// one of them ends with leaves all as it was.
func wasNotSent(err error) bool {
	var answer redis.Error
	var network *net.OpError
	return errors.As(err, &answer) ||
		errors.As(err, &network) && network.Op == "dial" ||
		errors.Is(err, redis.ErrPoolTimeout) ||
		errors.Is(err, redis.ErrPoolExhausted) ||
		errors.Is(err, redis.ErrClosed)
}

func (r request) failed(err error) error {
	return fmt.Errorf("redisstore: %s %q: %w", r.script.name, r.key, err)
}

// doubtful is the error of a request that may have been carried out.
func (r request) doubtful(err error) error {
	if !r.script.changes {
		return r.failed(err)
	}
	return fmt.Errorf("redisstore: %s %q: %w: %w", r.script.name, r.key, store.ErrUnknownOutcome, err)
}
