package stamp

import "context"

// draw finds the numbers that a call makes an id of. It is for configurations
// with a source; without one the error is ErrUngrouped, since only calls for
// groups get here.
func (c *Config) draw(ctx context.Context, id string, chosen *uint64) (numbers, error) {
	if c.source == nil {
		return numbers{}, ungrouped(id)
	}
	p, err := c.place(ctx, chosen)
	if err != nil {
		return numbers{}, err
	}
	return c.source.numbers(id, p.partition)
}

// findDrawn makes an id of the numbers of a sequence id that it looks up.
func (c *Config) findDrawn(ctx context.Context, id string, chosen *uint64) (ID, error) {
	n, err := c.draw(ctx, id, chosen)
	if err != nil {
		return 0, err
	}
	made, err := n.next(ctx, c.caller.Timeout)
	if err == nil && chosen == nil && c.fixed(nil) {
		c.handles.keep(id, c)
	}
	return made, err
}

// draw finds the numbers of a call, and keeps them for the next if those will
// be the same.
func (g *Generator) draw(ctx context.Context) (numbers, error) {
	if n := g.numbers.Load(); n != nil {
		return *n, nil
	}
	n, err := g.config.draw(ctx, g.id, g.chosen)
	if err == nil && g.config.fixed(g.chosen) {
		kept := n
		g.numbers.Store(&kept)
	}
	return n, err
}

// nextDrawn makes an id of a source's numbers.
func (g *Generator) nextDrawn(ctx context.Context) (ID, error) {
	if n := g.numbers.Load(); n != nil {
		return n.next(ctx, g.config.caller.Timeout)
	}
	n, err := g.draw(ctx)
	if err != nil {
		return 0, err
	}
	return n.next(ctx, g.config.caller.Timeout)
}

// newDrawn is newGenerator for a configuration with a source.
func newDrawn(id string, c *Config, chosen *uint64) (*Generator, error) {
	g := &Generator{config: c, id: id, chosen: chosen}
	if !c.fixed(chosen) {
		_, err := c.source.use(id)
		if err != nil {
			return nil, err
		}
		return g, nil
	}
	if _, err := g.draw(noContext); err != nil {
		return nil, err
	}
	return g, nil
}
