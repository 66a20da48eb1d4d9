package segment

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/telemetry"
)

// A segment of a group by time is given out for this long at most without a
// look at the wall clock, so that its steps are noticed.
const trust = 10 * time.Millisecond

// patience is how long a call waits: its context, or a time-out that begins
// when it first has to.
type patience struct {
	ctx     context.Context
	timeout time.Duration
	cancel  context.CancelFunc
}

func (g *Generator) patience(ctx context.Context) patience {
	return patience{ctx: ctx, timeout: g.options.Timeout}
}

func (p *patience) done() <-chan struct{} {
	if p.ctx == nil {
		p.ctx, p.cancel = context.WithTimeout(context.Background(), p.timeout)
	}
	return p.ctx.Done()
}

// end releases what done has set up.
func (p *patience) end() {
	if p.cancel != nil {
		p.cancel()
	}
}

// take claims 1 to n numbers of one segment.
func (g *Generator) take(p *patience, n uint64) (Run, error) {
	name, err := g.name(p.ctx)
	if err != nil {
		return Run{}, err
	}
	s := g.current.Load()
	if (g.options.Group.Func == nil || s.group.name == name) && g.fresh(s) {
		if index, count := s.claim(n); count > 0 {
			if index+count > s.low.Load() {
				g.runsLow(s)
			}
			return s.run(index, count), nil
		}
	}
	return g.wait(p, name, n)
}

// name asks the group function, if there is one.
func (g *Generator) name(ctx context.Context) (string, error) {
	if g.options.Group.Func == nil {
		return "", nil
	}
	if ctx == nil {
		ctx = context.Background()
	}
	name, err := g.options.Group.Func(ctx)
	if err != nil {
		return "", err
	}
	if name == "" || strings.ContainsAny(name, "@#") {
		return "", fmt.Errorf("%w: name %q is empty or has a @ or #", ErrGroup, name)
	}
	return name, nil
}

// read takes a reading, if the clock matters here, and reports the step that
// it was the first to notice.
func (g *Generator) read() clock.Reading {
	if !g.timed {
		return clock.Reading{}
	}
	r := g.options.Clock.Read()
	if step := r.Step; step.Kind != clock.NoStep {
		telemetry.Emit(g.options.Telemetry, telemetry.ClockStep{
			Kind: telemetry.StepKind(step.Kind), By: step.By, From: step.From, To: step.To,
		})
	}
	return r
}

// wait claims 1 to n numbers, and waits for a fetch when there are none.
func (g *Generator) wait(p *patience, name string, n uint64) (Run, error) {
	var since time.Time
	for {
		s, f, err := g.obtain(name)
		if err == nil && s != nil {
			if index, count := s.claim(n); count > 0 {
				g.waited(since)
				if index+count > s.low.Load() {
					g.runsLow(s)
				}
				return s.run(index, count), nil
			}
			continue
		}
		if err == nil {
			if since.IsZero() {
				since = time.Now()
			}
			err = g.await(p, f, name)
		}
		if err != nil {
			g.waited(since)
			return Run{}, err
		}
		if r, ok := g.direct(f, name, n); ok {
			g.waited(since)
			return r, nil
		}
	}
}

// await waits for a fetch, and returns its error, or why waiting ended.
func (g *Generator) await(p *patience, f *flight, name string) error {
	select {
	case <-f.done:
		if errors.Is(f.err, errInterrupted) {
			return nil // by Close, before this call joined: fetch anew
		}
		if g.options.Group.Func != nil && f.group.name != name {
			return nil // another group's: what its error means for this one, obtain knows
		}
		return f.err
	case <-p.done():
		g.leave(f)
		return fmt.Errorf("segment: waiting for numbers of %q: %w", g.key, p.ctx.Err())
	}
}

// direct claims from the segment that a fetch has brought, even if others have
// made another group the active one meanwhile. So callers of different groups
// can't keep each other from ever getting a number. The order is kept: this
// call began before the segment was there.
func (g *Generator) direct(f *flight, name string, n uint64) (Run, bool) {
	s := f.segment
	if g.options.Group.Func == nil || s == nil || s.group.name != name {
		return Run{}, false
	}
	now := time.Now()
	g.mu.Lock()
	defer g.unlock()
	// Under the lock, so that nobody has dropped it for its age meanwhile.
	if g.stopped != nil || !g.fresh(s) {
		return Run{}, false
	}
	index, count := s.claim(n)
	if count == 0 {
		return Run{}, false
	}
	if s != g.current.Load() { // it was dropped, and what was left counted as wasted
		g.meter.used += count
		g.meter.wastedGroup -= count
	} else if index+count > s.low.Load() {
		g.plan(now)
	}
	return s.run(index, count), true
}

// Warm fetches the first segment if there is none, so that the first call
// doesn't wait. The errors are those of [Generator.NextGrouped].
func (g *Generator) Warm(ctx context.Context) error {
	name, err := g.name(ctx)
	if err != nil {
		return err
	}
	p := g.patience(ctx)
	defer p.end()
	for {
		s, f, err := g.obtain(name)
		if err != nil {
			return err
		}
		if s != nil {
			return nil
		}
		if err := g.await(&p, f, name); err != nil {
			return err
		}
		if f.segment != nil && f.segment.group.name == name {
			return nil // others may have used it up already
		}
	}
}
