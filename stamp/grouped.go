package stamp

import "context"

// Grouped is an id together with the group that its number is counted in.
//
// Numbers begin anew in each group. Without time bits in its layout an id is
// therefore unique within its group only: keep both, for example in a unique
// key of two columns or as the text of a [Format].
type Grouped struct {
	ID    ID
	Group string // the group's name, as in its counter's: "20260101"
	// Day is the first day of a group by time, as days from 1970-01-01, else 0.
	Day int64
}

// NextGrouped returns the next id of a sequence together with its group. It is
// for generators with groups, which a configuration's Source can have, and the
// only way to an id where groups aren't in the time bits.
//
// The errors are those of [NextContext], [ErrUngrouped] where there are no groups, and
// [ErrGroup] or the error of a group function. ctx may be nil.
func NextGrouped(ctx context.Context, sequenceID string, c *Config) (Grouped, error) {
	if err := ended(ctx); err != nil {
		return Grouped{}, err
	}
	if g := c.handles.find(sequenceID); g != nil {
		return g.nextGrouped(ctx)
	}
	v, err := c.findGrouped(ctx, sequenceID, nil)
	if err == nil && c.fixed(nil) {
		c.handles.keep(sequenceID, c)
	}
	return v, err
}

// NextGroupedIn is [NextGrouped] in a partition, whatever the partition function
// says.
func NextGroupedIn(ctx context.Context, sequenceID string, c *Config, partition uint64) (Grouped, error) {
	if err := ended(ctx); err != nil {
		return Grouped{}, err
	}
	return c.findGrouped(ctx, sequenceID, &partition)
}

func (c *Config) findGrouped(ctx context.Context, id string, chosen *uint64) (Grouped, error) {
	n, err := c.draw(ctx, id, chosen)
	if err != nil {
		return Grouped{}, err
	}
	return n.nextGrouped(ctx, c.caller.Timeout)
}

// NextGrouped returns the next id together with its group, as the function
// [NextGrouped].
func (g *Generator) NextGrouped(ctx context.Context) (Grouped, error) {
	if err := ended(ctx); err != nil {
		return Grouped{}, err
	}
	return g.nextGrouped(ctx)
}

func (g *Generator) nextGrouped(ctx context.Context) (Grouped, error) {
	if n := g.numbers.Load(); n != nil {
		return n.nextGrouped(ctx, g.config.caller.Timeout)
	}
	n, err := g.draw(ctx)
	if err != nil {
		return Grouped{}, err
	}
	return n.nextGrouped(ctx, g.config.caller.Timeout)
}

// AppendGrouped claims n ids and appends them to dst with their groups. The
// groups by time, and within each the ids, rise. What was claimed is appended
// also when it returns an error.
//
// n is 1 to 2^20, else the error is [ErrBatch]. The other errors are those of
// [NextGrouped].
func (g *Generator) AppendGrouped(ctx context.Context, dst []Grouped, n int) ([]Grouped, error) {
	if err := ended(ctx); err != nil {
		return dst, err
	}
	from, err := g.draw(ctx)
	if err != nil {
		return dst, err
	}
	return from.appendGrouped(ctx, dst, n, g.config.caller.Timeout)
}
