package faults

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stampid/go-stamp/cmd/stampd/internal/fleet"
)

// Rounds say how long faults go on.
type Rounds struct {
	Seed   uint64
	Plan   Plan
	Length time.Duration // of a round
	// Wanted is how much workers shall have made together, and Made returns how
	// much they have.
	Wanted int64
	Made   func() int64
	Log    func(format string, args ...any)
}

// Rounds inflicts a schedule, and further ones until workers have made what is
// wanted, each with faults of its own; after three in a row in which they made
// nothing it gives up.
func (v *Victims) Rounds(ctx context.Context, r Rounds) error {
	const mostBarren = 3 // a server may need all of a short round to start
	barren := 0
	for round := uint64(0); ; round++ {
		before := r.Made()
		end := time.Now().Add(r.Length)
		schedule := Schedule(r.Seed+round, r.Length, r.Plan)
		for _, e := range schedule {
			r.Log("%s, round %d: %v", r.Plan.Kind.Name, round+1, e)
		}
		if err := v.Inflict(ctx, schedule); err != nil {
			return err
		}
		fleet.Pause(ctx, time.Until(end))
		made := r.Made()
		if barren++; made > before {
			barren = 0
		}
		if made >= r.Wanted || barren == mostBarren || ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// Counts writes how often each action was done.
func Counts(done map[Action]int) string {
	var b strings.Builder
	actions := make([]Action, 0, len(done))
	for a := range done {
		actions = append(actions, a)
	}
	slices.Sort(actions)
	for _, a := range actions {
		fmt.Fprintf(&b, " %s %d;", strings.TrimSuffix(a.String(), ":"), done[a])
	}
	return b.String()
}
