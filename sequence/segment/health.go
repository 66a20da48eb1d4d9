package segment

import (
	"errors"
	"time"
)

// Err tells why a call would get no number now: a *[RolledBackError] after a
// rollback, and a *[BackoffError] while there are no numbers and the next fetch
// isn't due. Otherwise it is nil, also before the first fetch. It asks nothing of
// the store; it takes the generator's lock for a moment.
func (g *Generator) Err() error {
	now := time.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.stopped != nil:
		return g.stopped
	case g.stock() == 0 && g.backoff.holds(g.group, now):
		return &BackoffError{Next: g.backoff.next, Err: g.backoff.err}
	}
	return nil
}

// Err is that of the generators of a name, those of its partitions included: of
// one that was rolled back if there is one, else of any. For a name that there
// isn't it is an *[UnknownNameError].
func (p *Provider) Err(name string) error {
	g, err := p.Generator(name)
	if err != nil {
		return err
	}
	err = g.Err()
	p.partitions[name].Range(func(_, partition any) bool {
		if errors.Is(err, ErrRolledBack) {
			return false
		}
		if other := partition.(*Generator).Err(); err == nil || errors.Is(other, ErrRolledBack) {
			err = other
		}
		return true
	})
	return err
}
