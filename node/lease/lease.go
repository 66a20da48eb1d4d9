package lease

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/sequence/fence"
)

// Lease is a node number that this process holds. It is a [node.Source], which
// brings its fence: a configuration that is given it as Node needs no other, and
// refuses one. Make it with [Acquire] or [File]. It is safe for concurrent use.
type Lease struct {
	number uint64
	format string
	fence  *fence.Fence
	cancel context.CancelFunc
	done   chan struct{} // closed when keep has ended

	mu  sync.Mutex // not held over I/O
	err error      // of the last attempt to keep it
}

var _ node.Source = (*Lease)(nil)

func newLease(f *fence.Fence, r *fence.Reservation, number uint64, o Options) *Lease {
	ctx, cancel := context.WithCancel(context.Background())
	l := &Lease{
		number: number, format: fence.Format(o.Layout, o.timescale()), fence: f,
		cancel: cancel, done: make(chan struct{}),
	}
	timeout := o.Fence.CallTimeout
	if timeout == 0 {
		timeout = fence.DefaultCallTimeout
	}
	go l.keep(ctx, r, o.TTL, timeout)
	return l
}

// Node returns the number, and no error.
func (l *Lease) Node(context.Context) (uint64, error) { return l.number, nil }

// Number returns the number. It never changes: also when the lease is lost, since
// ids are stopped by its fence.
func (l *Lease) Number() uint64 { return l.number }

// Fence returns the fence of the number's ids.
func (l *Lease) Fence() *fence.Fence { return l.fence }

// Format returns layout, epoch and unit of the ids that the number is for, as
// [fence.Format] writes them.
func (l *Lease) Format() string { return l.format }

// Err returns why the lease could not be kept when that was tried last, before
// there were ids; nil if it could. Once there are ids, Config.Health of package
// stamp tells.
func (l *Lease) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// Close gives the number back, with the time after the last id as its bound, so
// that it can be had at once. No id is made from its beginning on. Its errors
// are those of [fence.Fence.Close], and it may be called again.
func (l *Lease) Close(ctx context.Context) error {
	if l.cancel == nil {
		return nil // no lease
	}
	l.cancel()
	err := l.fence.Close(ctx)
	select {
	case <-l.done:
	case <-ctx.Done():
	}
	return err
}

// keep renews the lease until its fence does, which is from the first id on.
func (l *Lease) keep(ctx context.Context, r *fence.Reservation, ttl, timeout time.Duration) {
	defer close(l.done)
	for {
		// Processes that started together don't call together.
		timer := time.NewTimer(ttl/4 + rand.N(ttl/8))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
		call, cancel := context.WithTimeout(ctx, timeout)
		done, err := r.Keep(call)
		cancel()
		l.mu.Lock()
		l.err = err
		l.mu.Unlock()
		if done {
			return
		}
	}
}
