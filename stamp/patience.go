package stamp

import (
	"context"
	"sync"
	"time"
)

// patience is the context of a call that has none. Its time begins to run when
// something first waits for it, so that calls which don't wait need no timer.
type patience struct {
	timeout time.Duration

	mu     sync.Mutex
	over   bool
	ctx    context.Context
	cancel context.CancelFunc
}

// started is the context whose time is running.
func (p *patience) started() context.Context {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ctx == nil {
		p.ctx, p.cancel = context.WithTimeout(context.Background(), p.timeout)
		if p.over { // who asks kept it beyond its call
			p.cancel()
		}
	}
	return p.ctx
}

// end releases the timer, if there is one.
func (p *patience) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	if p.cancel != nil {
		p.cancel()
	}
}

func (p *patience) Deadline() (time.Time, bool) { return p.started().Deadline() }
func (p *patience) Done() <-chan struct{}       { return p.started().Done() }
func (p *patience) Err() error                  { return p.started().Err() }
func (p *patience) Value(any) any               { return nil }
