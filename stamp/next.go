package stamp

import (
	"context"
	"errors"

	"github.com/stampid/go-stamp/sequence"
)

// Next returns the next id of a sequence. Sequences with different ids are
// separate and may yield equal ids; use one per table.
//
// The errors are [ErrAhead], [ErrBeforeEpoch], [ErrTimeExhausted],
// [ErrConflict], [ErrNoID], [ErrNoPartition], [ErrOutOfRange] for a node or
// partition that doesn't fit, and those of the node source and the partition
// function; with a fence, the errors whose names begin with ErrFence. It waits
// under [Wait] for the clock, and with a fence except under [Fail], at most for
// the configuration's Timeout.
//
// With a Source there are no ErrAhead and node, but [ErrUnknownName], [ErrSource],
// [ErrGrouped] and [ErrSequenceExhausted]; and while no numbers are at hand,
// which it waits for as long, [ErrFetch], [ErrBackoff] and [ErrRolledBack].
func Next(sequenceID string, c *Config) (ID, error) {
	if g := c.handles.find(sequenceID); g != nil {
		return g.Next()
	}
	return c.find(noContext, sequenceID, nil)
}

// NextContext is [Next] with a context: for the node source and the partition
// function, and to end waiting. With a context that has ended it returns its
// error and no id.
func NextContext(ctx context.Context, sequenceID string, c *Config) (ID, error) {
	if err := ended(ctx); err != nil {
		return 0, err
	}
	if g := c.handles.find(sequenceID); g != nil {
		return g.next(ctx)
	}
	return c.find(ctx, sequenceID, nil)
}

// NextIn is [Next] in a partition, whatever the partition function says.
func NextIn(sequenceID string, c *Config, partition uint64) (ID, error) {
	return c.find(noContext, sequenceID, &partition)
}

// find makes an id of a sequence that it looks up. ctx is noContext for calls
// without one.
func (c *Config) find(ctx context.Context, id string, chosen *uint64) (ID, error) {
	if c.source != nil {
		return c.findDrawn(ctx, id, chosen)
	}
	p, err := c.place(ctx, chosen)
	if err != nil {
		return 0, err
	}
	for {
		s, err := c.sequence(id, p)
		if err != nil {
			return 0, err
		}
		n, err := s.Next(ctx, &c.caller)
		if errors.Is(err, sequence.ErrDropped) {
			var cancel context.CancelFunc
			ctx, cancel = rest(ctx, err)
			defer cancel() // not per round: the next one has a context
			continue
		}
		if err == nil && chosen == nil && c.fixed(nil) {
			c.handles.keep(id, c)
		}
		return ID(n), err
	}
}

// noContext stands for the context of a call that has none. Such a call waits
// no longer than the configuration's Timeout.
var noContext context.Context

// rest is the context for repeating a call whose sequence was dropped. A call
// without one that had begun to wait keeps its deadline.
func rest(ctx context.Context, err error) (context.Context, context.CancelFunc) {
	var dropped *sequence.DroppedError
	if ctx == noContext && errors.As(err, &dropped) {
		return context.WithDeadline(context.Background(), dropped.Deadline)
	}
	return ctx, func() {}
}

// ended returns the error of a context that has ended.
func ended(ctx context.Context) error {
	if ctx == noContext {
		return nil
	}
	return ctx.Err()
}
