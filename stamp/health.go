package stamp

import (
	"context"

	"github.com/stampid/go-stamp/sequence"
)

// Health says whether a configuration can make ids; see [sequence.Health].
type Health = sequence.Health

// Health tells whether ids can be made now, how far they are ahead of the clock,
// how the fence stands, and for how long all that will do. Err is nil if they
// can. The node source is asked; nothing else is waited for, so it suits a probe:
//
//	http.HandleFunc("/readyz", func(w http.ResponseWriter, r *http.Request) {
//		if h := cfg.Health(r.Context()); h.Err != nil {
//			http.Error(w, h.Err.Error(), http.StatusServiceUnavailable)
//		}
//	})
//
// A fence that isn't held yet is asked for, in the background.
//
// With a Source, Err is [ErrRolledBack] if one of the generators that were used
// has stopped, and [ErrBackoff] if one has no numbers after a fetch that failed.
// Left is until [Config.End] by the system's clock, or the longest duration
// without time bits.
func (c *Config) Health(ctx context.Context) Health {
	if c.source != nil {
		return c.source.health(ctx)
	}
	space, node, err := c.here(ctx)
	if err != nil {
		return Health{Err: err}
	}
	return space.Health(node, &c.caller)
}

// Open waits until the fence lets ids be made, or ctx ends. It isn't needed, as
// the first call waits as well, but a program that calls it when it starts
// learns there what is wrong; and under [Fail], and for NextAt, there are no ids
// before. Without a fence it asks the node source and returns.
//
// With a Source there is nothing to open. What makes the first calls as fast as
// the others is segment.Provider.Warm.
func (c *Config) Open(ctx context.Context) error {
	if c.source != nil {
		return ended(ctx)
	}
	space, node, err := c.here(ctx)
	if err != nil {
		return err
	}
	return space.Open(ctx, node, &c.caller)
}

// here is the space and node of a call.
func (c *Config) here(ctx context.Context) (space *sequence.Space, node uint64, err error) {
	if err := ended(ctx); err != nil {
		return nil, 0, err
	}
	if space, err = c.bind(); err != nil {
		return nil, 0, err
	}
	node, err = c.askNode(ctx)
	return space, node, err
}
