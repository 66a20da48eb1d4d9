package gormstamp

import (
	"context"
	"time"

	"github.com/stampid/go-stamp/partition"
	"github.com/stampid/go-stamp/stamp"
)

type timeKey struct{}

// At returns a context whose statements make ids with t as the clock, by
// [stamp.Generator.NextAt], whose rules hold: a sequence never goes back. With a
// layout with partition bits the partition is that of [partition.FromContext].
func At(ctx context.Context, t time.Time) context.Context {
	return context.WithValue(ctx, timeKey{}, t)
}

// next makes an id with the partition and the time of a context.
func next(ctx context.Context, g *stamp.Generator) (stamp.ID, error) {
	t, ok := ctx.Value(timeKey{}).(time.Time)
	if !ok {
		return g.NextContext(ctx)
	}
	if g.Config().Layout().Partition > 0 {
		p, err := partition.FromContext(ctx)
		if err != nil {
			return 0, err
		}
		if g, err = g.In(p); err != nil {
			return 0, err
		}
	}
	return g.NextAt(t)
}
