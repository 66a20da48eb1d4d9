package clockchaos

import (
	"cmp"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/cmd/stampd/internal/fleet"
	"github.com/stampid/go-stamp/node/lease"
	"github.com/stampid/go-stamp/sequence/fence"
)

// worker is a process at work.
type worker struct {
	task  Task
	clock clock.Clock
	begun time.Time

	renewing sync.Mutex // held over I/O

	mu       sync.Mutex
	holder   *holder
	progress Progress
}

// work does a task until ctx ends. Then the fence is closed while its goroutines
// go on: what they were given counts, and the node is another's from then on.
func work(ctx context.Context, t Task, out io.Writer) error {
	inner, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	wall, err := readWall(t.Clock)
	if err != nil {
		return err
	}
	// A second of reading a long step again and again takes it for true, so that
	// workers do follow some of them.
	o := clock.Options{Wall: wall, StepConfirm: time.Second}
	if t.Counter {
		o.Ticks = clock.Ticks // which a clock with a Wall doesn't read by itself
	}
	w := &worker{task: t, begun: time.Now(), progress: Progress{Errors: map[string]int{}}, clock: clock.NewSystem(o)}
	told := make(chan error, 1)
	telling, done := context.WithCancel(context.Background())
	defer done()
	go func() { told <- fleet.Tell(telling, out, w.tell) }()
	errs := make([]error, t.Goroutines)
	var making sync.WaitGroup
	for i := range t.Goroutines {
		making.Go(func() {
			if errs[i] = w.make(inner, i); errs[i] != nil {
				stop()
			}
		})
	}
	context.AfterFunc(ctx, func() {
		w.closeHolder(w.current())
		stop()
	})
	making.Wait()
	w.closeHolder(w.current()) // there may be another one meanwhile
	w.mu.Lock()
	w.progress.Ended = true
	w.mu.Unlock()
	done()
	return errors.Join(append(errs, <-told)...)
}

// renew makes a holder in place of old, unless another goroutine has done so, and
// returns the one that there is then. It tries until it can be done, and returns
// nil if ctx ends before.
func (w *worker) renew(ctx context.Context, old *holder) (*holder, error) {
	w.renewing.Lock()
	defer w.renewing.Unlock()
	if now := w.current(); now != old {
		return now, nil
	}
	number := 0
	if old != nil {
		number = old.number + 1
		w.closeHolder(old)
	}
	for ctx.Err() == nil {
		p, err := openPlace(ctx, w.task, number)
		if errors.Is(err, fence.ErrOptions) || errors.Is(err, lease.ErrOptions) {
			return nil, err
		}
		if err != nil { // the store is away, or nodes are
			w.count(ctx, 0, err, cmp.Or(kindOf(err), errUnavailable))
			fleet.Pause(ctx, 20*time.Millisecond)
			continue
		}
		h, err := newHolder(w.task, w.clock, number, p)
		if err != nil {
			return nil, errors.Join(err, p.close())
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.holder = h
		w.progress.Holders++
		return h, nil
	}
	return nil, nil
}

func (w *worker) current() *holder {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.holder
}

func (w *worker) tell() any {
	w.mu.Lock()
	defer w.mu.Unlock()
	return Progress{}.Plus(w.progress) // a copy
}

// count notes the result of a call whose error is of that kind.
func (w *worker) count(ctx context.Context, ids int, err error, kind string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.progress.IDs += int64(ids)
	switch {
	case err == nil || ctx.Err() != nil:
	case kind == "" || isCorrupt(err):
		w.progress.Unexpected = err.Error()
	default:
		w.progress.Errors[kind]++
	}
}

// closeHolder closes a holder, once and if there is one. A node that couldn't be
// given back is as good as a crash.
func (w *worker) closeHolder(h *holder) {
	if h == nil {
		return
	}
	h.closing.Do(func() {
		if err := h.close(); err != nil {
			w.count(context.Background(), 0, err, errNotGivenBack)
		}
	})
}
