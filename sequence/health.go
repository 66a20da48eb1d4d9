package sequence

import (
	"context"
	"time"
)

// Health says whether the sequences of a space and node can make ids.
type Health struct {
	// Err is why no id of the present can be made, and nil if one can. What
	// stops one sequence alone, its limit of being ahead, doesn't count.
	Err error
	// Ahead is how far the sequence that is furthest ahead of the reference
	// time is ahead of it, 0 if none is. Sequences of other settings that share
	// node, format and fence count too.
	Ahead time.Duration
	// Fence is how the fence stands, nil without one.
	Fence *FenceStatus
	// Left is how long ids can be made for if nothing changes: until the
	// fence's bound, or until the layout's end. It is 0 once they can't be.
	Left time.Duration
}

// Health tells how the sequences of a node are. The caller's Listener gets the
// steps of the clock that it is the first to notice. It does no I/O and doesn't
// wait. With a fence that isn't held yet it asks for it, so that a program which
// takes no work before it is healthy gets there.
func (sp *Space) Health(node uint64, c *Caller) Health {
	l, err := sp.lane(node)
	if err != nil {
		return Health{Err: err}
	}
	scale := sp.settings.Timescale
	r := sp.settings.Clock.Read()
	defer announce(r, c)
	now := scale.Units(r.Reference)
	h := Health{Left: max(sp.end.Sub(r.Reference), 0)}
	if peak := l.peak.Load(); peak > 0 {
		h.Ahead = max(scale.Time(peak).Sub(r.Reference), 0)
	}
	switch {
	case now < 0:
		h.Err = &BeforeEpochError{Time: r.Wall, Epoch: scale.Epoch}
		h.Left = 0
	case uint64(now) > sp.settings.Layout.MaxTime():
		h.Err = &TimeExhaustedError{End: sp.end}
	case l.guard != nil:
		h.Err = l.guard.Request(uint64(now))
	}
	if l.guard != nil {
		status := l.guard.Status()
		h.Fence = &status
		h.Left = min(h.Left, max(status.Bound.Sub(r.Reference), 0))
	}
	return h
}

// Open waits until the fence lets ids of the present be made for a node, or ctx
// ends. Without a fence there is nothing to wait for. It isn't needed, since the
// first id waits as well, but finds out at the start of a program what is wrong.
func (sp *Space) Open(ctx context.Context, node uint64, c *Caller) error {
	l, err := sp.lane(node)
	if err != nil || l.guard == nil {
		return err
	}
	r := sp.settings.Clock.Read()
	defer announce(r, c)
	now := sp.settings.Timescale.Units(r.Reference)
	return l.guard.Await(ctx, uint64(max(now, 0)))
}

// lane finds or makes the lane of a node.
func (sp *Space) lane(node uint64) (*Lane, error) {
	if err := sp.checkNode(node); err != nil {
		return nil, err
	}
	sp.registry.mu.Lock()
	defer sp.registry.mu.Unlock()
	return sp.registry.lane(&sp.settings, node)
}
