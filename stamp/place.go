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
	p := place{node: c.number}
	var err error
	if c.node != nil {
		if p.node, err = c.node.Node(ctx); err != nil {
			return place{}, err
		}
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
