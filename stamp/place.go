package stamp

import (
	"context"
	"fmt"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/sequence"
)

// place is what belongs to a sequence besides its id.
type place struct{ node, partition uint64 }

// place asks node source and partition function. chosen is the partition that
// the caller named, if any.
func (c *Config) place(ctx context.Context, chosen *uint64) (place, error) {
	if ctx == noContext {
		ctx = context.Background()
	}
	var p place
	var err error
	if p.node, err = c.askNode(ctx); err != nil {
		return place{}, err
	}
	switch {
	case chosen != nil:
		p.partition = *chosen
	case c.partition != nil:
		if p.partition, err = c.partition(ctx); err != nil {
			return place{}, err
		}
	case c.settings.Layout.Partition > 0:
		return place{}, fmt.Errorf("stamp: %w: the layout has %d partition bits, and neither the call nor Options.Partition names one",
			ErrNoPartition, c.settings.Layout.Partition)
	}
	return p, nil
}

// askNode asks the node source, if there is one.
func (c *Config) askNode(ctx context.Context) (uint64, error) {
	if c.node == nil {
		return c.number, nil
	}
	return c.node.Node(ctx)
}

// fixed tells whether every call has the same place.
func (c *Config) fixed(chosen *uint64) bool {
	return c.node == nil && (chosen != nil || c.settings.Layout.Partition == 0)
}

// checkPartition refuses a partition that the layout has no room for.
func (c *Config) checkPartition(p uint64) error {
	if limit := c.settings.Layout.MaxPartition(); p > limit {
		return &bits.ValueError{Field: "partition", Value: p, Max: limit}
	}
	return nil
}

// sequence finds the sequence of an id in a place.
func (c *Config) sequence(id string, p place) (*sequence.Sequence, error) {
	space, err := c.bind()
	if err != nil {
		return nil, err
	}
	return space.Sequence(id, p.node, p.partition)
}
