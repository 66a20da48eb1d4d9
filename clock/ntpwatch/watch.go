package ntpwatch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Watch measures how far the system clock is off, by asking time servers. It
// doesn't set the clock. It is made by [New], is safe for concurrent use, and
// starts no goroutine that outlives a call.
type Watch struct {
	options Options
	servers []*server
}

// New checks options. It asks no server yet. The error joins every violation;
// each matches [ErrOptions].
func New(o Options) (*Watch, error) {
	w := &Watch{options: o.withDefaults()}
	err := w.options.validate()
	seen := make(map[string]bool)
	for _, name := range o.Servers {
		address, addressErr := hostPort(name)
		if addressErr == nil && seen[address] {
			addressErr = fmt.Errorf("%w: server %q is given twice", ErrOptions, name)
		}
		err = errors.Join(err, addressErr)
		seen[address] = true
		w.servers = append(w.servers, &server{name: name, address: address})
	}
	if err != nil {
		return nil, err
	}
	return w, nil
}

// Run measures at once and then each Interval, on the goroutine of the
// caller, until ctx ends, and returns ctx's error. It goes on when the clock
// is off and when servers fail; OnEvent is told. Servers that asked for a
// lower rate are waited for.
//
// It ends earlier only if OnEvent isn't set, with [ErrOptions], or if each
// server has asked not to be asked again, with [ErrNoAnswer].
func (w *Watch) Run(ctx context.Context) error {
	if w.options.OnEvent == nil {
		return fmt.Errorf("%w: no OnEvent, which Run reports to", ErrOptions)
	}
	for {
		offset, err := w.Measure(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		w.report(offset, err)
		rest, ok := w.rest()
		if !ok {
			_, err := w.Measure(ctx) // asks nobody
			return err
		}
		sleep(ctx, max(rest, jittered(w.options.Interval)))
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// rest is how long there is nobody to ask; ok is false if for ever.
func (w *Watch) rest() (least time.Duration, ok bool) {
	for _, server := range w.servers {
		if d, alive := server.wait(); alive && (!ok || d < least) {
			least, ok = d, true
		}
	}
	return least, ok
}

// jittered is d, give or take a tenth: a fleet that was started at once isn't
// to ask at once for ever.
func jittered(d time.Duration) time.Duration {
	return d - d/10 + time.Duration(rand.Int64N(int64(d/5)+1))
}
