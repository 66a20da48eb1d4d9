package stamp

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/stampid/go-stamp/sequence"
)

// Generator is a handle on a sequence: it makes the same ids as [Next] with
// the same sequence id, without the look-up. It is safe for concurrent use,
// and lasts beyond a drop of its sequence.
type Generator struct {
	config *Config
	id     string
	chosen *uint64 // the partition, when it was named
	// sequence is set when every call has the same node and partition, and
	// numbers in its place when the configuration has a source.
	sequence atomic.Pointer[sequence.Sequence]
	numbers  atomic.Pointer[numbers]
}

// NewGenerator makes a handle. The errors are those of [Next] that don't
// depend on the call.
func NewGenerator(sequenceID string, c *Config) (*Generator, error) {
	return newGenerator(sequenceID, c, nil)
}

// MustGenerator is NewGenerator for package-level variables. It panics on what
// NewGenerator refuses.
func MustGenerator(sequenceID string, c *Config) *Generator {
	g, err := NewGenerator(sequenceID, c)
	if err != nil {
		panic(err)
	}
	return g
}

func newGenerator(id string, c *Config, chosen *uint64) (*Generator, error) {
	if c.source != nil {
		return newDrawn(id, c, chosen)
	}
	space, err := c.bind()
	if err != nil {
		return nil, err
	}
	if err := space.Check(id); err != nil {
		return nil, err
	}
	g := &Generator{config: c, id: id, chosen: chosen}
	if !c.fixed(chosen) {
		return g, nil
	}
	p, err := c.place(noContext, chosen)
	if err != nil {
		return nil, err
	}
	s, err := c.sequence(id, p)
	if err != nil {
		return nil, err
	}
	g.sequence.Store(s)
	return g, nil
}

// In returns a handle on the same sequence id in a partition. With a Source it
// keeps the partition's generator, also beyond a segment.Provider.Drop: it then
// draws on the same counter as the new one, for other ids.
func (g *Generator) In(partition uint64) (*Generator, error) {
	if err := g.config.checkPartition(partition); err != nil {
		return nil, err
	}
	return newGenerator(g.id, g.config, &partition)
}

// SequenceID returns the id of the sequence.
func (g *Generator) SequenceID() string { return g.id }

// Config returns the configuration.
func (g *Generator) Config() *Config { return g.config }

// Next returns the next id. The errors, and how long it may wait, are those of
// the function [Next].
func (g *Generator) Next() (ID, error) {
	if s := g.sequence.Load(); s != nil {
		if id := s.TryNext(&g.config.caller); id != 0 {
			return ID(id), nil
		}
	} else if n := g.numbers.Load(); n != nil {
		if id := n.try(); id != 0 {
			return id, nil
		}
	}
	return g.next(noContext)
}

// NextContext is Next with a context, as the function [NextContext].
func (g *Generator) NextContext(ctx context.Context) (ID, error) {
	if err := ended(ctx); err != nil {
		return 0, err
	}
	return g.next(ctx)
}

func (g *Generator) next(ctx context.Context) (ID, error) {
	s := g.sequence.Load()
	if s == nil {
		if g.config.source != nil {
			return g.nextDrawn(ctx)
		}
		return g.find(ctx)
	}
	id, err := s.Next(ctx, &g.config.caller)
	if err == nil {
		return ID(id), nil
	}
	if !errors.Is(err, sequence.ErrDropped) {
		return 0, err
	}
	return g.again(ctx, err)
}

// again makes an id after err said that the sequence was dropped.
func (g *Generator) again(ctx context.Context, err error) (ID, error) {
	ctx, cancel := rest(ctx, err)
	defer cancel()
	return g.find(ctx)
}

// find makes an id when there is no sequence at hand, or it was dropped.
func (g *Generator) find(ctx context.Context) (ID, error) {
	var n int64
	err := g.with(ctx, func(ctx context.Context, s *sequence.Sequence) (err error) {
		n, err = s.Next(ctx, &g.config.caller)
		return err
	})
	return ID(n), err
}

// NextAt returns the next id with t as the clock for this one call. An id's
// time never goes back: when the sequence's time is later than t, the id has
// that time.
//
// It never waits for the clock. A t that is further than the clock's MaxStep (1 h) beyond
// its reference time is [ErrAhead], whatever the policy. After a t ahead of the
// clock, later calls go on from there. A t in the past can yield ids that an
// earlier process made at that time, if this one has made none since; the caller
// answers for that. To make ids for the past, as when old rows are given ids,
// use [Config.Compose].
//
// With a Source the error is [ErrNoClock].
func (g *Generator) NextAt(t time.Time) (ID, error) {
	if g.config.source != nil {
		return 0, fmt.Errorf("%w: %q at %s", ErrNoClock, g.id, t.Format(time.RFC3339Nano))
	}
	var n int64
	err := g.with(noContext, func(_ context.Context, s *sequence.Sequence) (err error) {
		n, err = s.NextAt(t, &g.config.caller)
		return err
	})
	return ID(n), err
}

// Append claims n ids, in rising order, and appends them to dst. What was
// claimed is appended also when it returns an error.
//
// n is 1 to 2^20, and under [Wait] and [Fail] no more than MaxAhead can ever
// allow; else the error is [ErrBatch] and names the largest possible n. The
// other errors are those of [NextContext]. With a Source a batch can span
// segments, and so have gaps.
func (g *Generator) Append(ctx context.Context, dst []ID, n int) ([]ID, error) {
	if err := ended(ctx); err != nil {
		return dst, err
	}
	if g.config.source != nil {
		from, err := g.draw(ctx)
		if err != nil {
			return dst, err
		}
		return from.append(ctx, dst, n, g.config.caller.Timeout)
	}
	want := len(dst) + n
	err := g.with(ctx, func(ctx context.Context, s *sequence.Sequence) (err error) {
		dst, err = sequence.Append(ctx, s, dst, want-len(dst), &g.config.caller)
		return err
	})
	return dst, err
}

// with calls do with the sequence for this call, and again when the sequence
// was dropped meanwhile; ctx is then what is left of the call's time.
func (g *Generator) with(ctx context.Context, do func(context.Context, *sequence.Sequence) error) error {
	if s := g.sequence.Load(); s != nil {
		err := do(ctx, s)
		if !errors.Is(err, sequence.ErrDropped) {
			return err
		}
		var cancel context.CancelFunc
		ctx, cancel = rest(ctx, err)
		defer cancel()
	}
	p, err := g.config.place(ctx, g.chosen)
	if err != nil {
		return err
	}
	for {
		s, err := g.config.sequence(g.id, p)
		if err != nil {
			return err
		}
		if g.config.fixed(g.chosen) {
			g.sequence.Store(s)
		}
		if err = do(ctx, s); !errors.Is(err, sequence.ErrDropped) {
			return err
		}
		var cancel context.CancelFunc
		ctx, cancel = rest(ctx, err)
		defer cancel() // not per round: the next one has a context
	}
}
