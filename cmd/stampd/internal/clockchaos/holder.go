package clockchaos

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/stamp"
)

// callerPatience is how long a call of a worker waits at most.
const callerPatience = 500 * time.Millisecond

// holder is a fence with all that makes ids under it. A process that has lost its
// fence's record makes another one.
type holder struct {
	place
	number     int
	clock      clock.Clock
	registry   *sequence.Registry
	config     *stamp.Config
	generators [sequences]*stamp.Generator
	closing    sync.Once
}

func newHolder(t Task, c clock.Clock, number int, p place) (*holder, error) {
	h := &holder{place: p, number: number, clock: c, registry: sequence.NewRegistry()}
	o := stamp.Options{
		Layout: layout(), Epoch: timescale().Epoch, Unit: timescale().Unit, Node: p.source,
		AheadPolicy: t.Policy, MaxAhead: t.MaxAhead, Timeout: callerPatience, Clock: c, Registry: h.registry,
	}
	if p.fence != nil && p.lease == nil { // which brings its fence
		o.Fence = p.fence
	}
	var err error
	if h.config, err = stamp.NewConfig(o); err != nil {
		return nil, err
	}
	for i := range h.generators {
		all, err := stamp.NewGenerator(sequenceName(i), h.config)
		if err != nil {
			return nil, err
		}
		if h.generators[i], err = all.In(partitionOf(i)); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// take makes up to n ids of a sequence, in one of the ways that there are.
func (h *holder) take(ctx context.Context, random *rand.Rand, i int, ids []stamp.ID, n int) ([]stamp.ID, error) {
	ctx, cancel := context.WithTimeout(ctx, callerPatience)
	defer cancel()
	g := h.generators[i]
	switch {
	case n > 1 && random.IntN(2) == 0:
		return oneByOne(g, ids, n)
	case n > 1:
		return g.Append(ctx, ids, n)
	}
	var id stamp.ID
	var err error
	switch random.IntN(10) {
	case 0:
		id, err = stamp.NextIn(sequenceName(i), h.config, partitionOf(i))
	case 1:
		id, err = g.NextAt(h.clock.Read().Wall.Add(h.detour(random)))
	case 2, 3, 4, 5:
		id, err = g.NextContext(ctx)
	case 6:
		if random.IntN(50) == 0 {
			h.registry.Drop(sequenceName(i)) // it comes back with the call
		}
		id, err = g.Next()
	default:
		id, err = g.Next()
	}
	if err != nil {
		return ids, err
	}
	return append(ids, id), nil
}

// oneByOne makes n ids one by one, which takes another way to the bound than a batch.
func oneByOne(g *stamp.Generator, ids []stamp.ID, n int) ([]stamp.ID, error) {
	for range n {
		id, err := g.Next()
		if err != nil {
			return ids, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// detour is where the time that is passed to NextAt lies, against the clock.
// Without a fence it is the caller's to pass no time that an earlier process had.
func (h *holder) detour(random *rand.Rand) time.Duration {
	const back, forth = 2 * time.Hour, 200 * time.Millisecond
	if h.fence == nil {
		return 0
	}
	return time.Duration(random.Int64N(int64(back+forth))) - back
}
