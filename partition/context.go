package partition

import (
	"context"
	"errors"
)

// ErrNoPartition is returned by [FromContext] for a context that carries no
// partition.
var ErrNoPartition = errors.New("partition: the context carries no partition")

type contextKey struct{}

// NewContext returns a context that carries partition p, in place of one that
// ctx may carry. Whether a layout has that partition is checked where an id is
// made.
func NewContext(ctx context.Context, p uint64) context.Context {
	return context.WithValue(ctx, contextKey{}, p)
}

// FromContext returns the partition that ctx carries, or [ErrNoPartition]: a
// forgotten partition is an error, not partition 0. It is a function from
// context to partition as the options of an id's configuration take one.
func FromContext(ctx context.Context) (uint64, error) {
	p, ok := ctx.Value(contextKey{}).(uint64)
	if !ok {
		return 0, ErrNoPartition
	}
	return p, nil
}
