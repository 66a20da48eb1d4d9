package segment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/stampid/go-stamp/store"
)

// block is what a fetch has reserved.
type block struct {
	first, last int64
	mark        int64 // the audit's mark, at or above last, or 0
	expires     time.Duration
}

// ask makes the calls of one fetch. They are one after the other, and nothing
// here is locked. With an error it answers what is reserved and lost, if any.
func (g *Generator) ask(ctx context.Context, f *flight) (block, error) {
	mark := f.mark
	if audit := g.options.Audit; audit != nil {
		// Before each allocation: ranges that others have audited by now were
		// allocated before, so this one begins above them, unless the store lost
		// them. This generator's own mark can be too old to tell.
		audited, err := audit.Mark(ctx, f.counter)
		if err != nil {
			return block{}, fmt.Errorf("reading the audit mark: %w", err)
		}
		mark = max(mark, audited)
	}
	n, last, err := g.allocate(ctx, f.counter, f.n)
	if errors.Is(err, store.ErrNoCounter) {
		if f.marked || mark > g.options.Offset {
			return block{}, &RolledBackError{Counter: f.counter, Mark: mark, Missing: true}
		}
		if err := ctx.Err(); err != nil { // the fetch is over, nothing may come of it
			return block{}, err
		}
		if _, err := g.counters.Create(ctx, f.counter, g.options.Offset); err != nil {
			return block{}, fmt.Errorf("creating the counter: %w", err)
		}
		n, last, err = g.allocate(ctx, f.counter, f.n)
	}
	if err != nil {
		return block{}, err
	}
	if last < n {
		return block{}, fmt.Errorf("%w: counter at %d after adding %d", ErrReply, last, n)
	}
	// Ends are compared with begins: a range inside one that was given out
	// begins above where that one began.
	if begin := last - n; begin < mark {
		return block{}, &RolledBackError{Counter: f.counter, Mark: mark, Store: begin}
	}
	b := block{first: last - n + 1, last: last}
	if audit := g.options.Audit; audit != nil {
		// What others have audited by now, a later range of ours lies above.
		if b.mark, err = audit.Raise(ctx, f.counter, last); err != nil {
			return b, fmt.Errorf("raising the audit mark: %w", err)
		}
	}
	return b, nil
}

// allocate reserves n numbers, or a step if there is no room for more.
func (g *Generator) allocate(ctx context.Context, key store.Key, n int64) (got, last int64, err error) {
	last, err = g.counters.Allocate(ctx, key, n)
	if errors.Is(err, store.ErrExhausted) && n > g.options.Step {
		n = g.options.Step
		last, err = g.counters.Allocate(ctx, key, n)
	}
	return n, last, err
}
