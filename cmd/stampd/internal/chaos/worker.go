package chaos

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/stampid/go-stamp/cmd/stampd/internal/fleet"
	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

// counter is what all workers take numbers from.
var counter = store.Key{Namespace: "chaos", Name: "orders"}

// Task is what a worker's process does: Goroutines take numbers from one
// generator, and write them to logs in Folder, until they are told to end.
type Task struct {
	Process, Run int
	Goroutines   int
	Store        string // URL
	Audit        string // URL of a second store, "" for none
	Folder       string
	Seed         uint64
	Rate         float64 // numbers a second that each goroutine wants to have
	Generator    Generator
	// Unguarded makes a new generator when the old one has stopped, as one does
	// that doesn't compare what it gets with what it had.
	Unguarded bool
}

// Generator are the settings of a worker's generator. The zero value is that of
// segment.Options.
type Generator struct {
	Mode                              segment.Mode
	Step, SafeDistance                int64
	MaxPrefetchDistance               int64
	FetchTimeout, BackoffMin, Backoff time.Duration
}

// Progress is what a worker tells.
type Progress struct {
	Numbers int64
	// Errors counts calls without a number: those of a failed fetch, of the wait
	// after one, and those whose caller's time was over.
	Fetch, Backoff, Deadline int64
	RolledBack               string // the error that the generator stopped with
	Unexpected               string // any other error
	Ended                    bool
}

// Plus is that of [fleet.Progress].
func (p Progress) Plus(o Progress) Progress {
	p.Numbers += o.Numbers
	p.Fetch += o.Fetch
	p.Backoff += o.Backoff
	p.Deadline += o.Deadline
	if o.RolledBack != "" {
		p.RolledBack = o.RolledBack
	}
	if o.Unexpected != "" {
		p.Unexpected = o.Unexpected
	}
	return p
}

// worker is a process at work.
type worker struct {
	task      Task
	counters  store.Counters
	options   segment.Options
	mu        sync.Mutex
	generator *segment.Generator
	progress  Progress
}

// work does a task until ctx ends or the generator stops.
func work(ctx context.Context, t Task, out io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	w := &worker{task: t}
	opened, err := stores.Open(ctx, t.Store, stores.Options{})
	if err != nil {
		return err
	}
	defer func() { _ = opened.Close() }()
	w.counters = opened
	g := t.Generator
	w.options = segment.Options{
		Mode: g.Mode, Step: g.Step, SafeDistance: g.SafeDistance, MaxPrefetchDistance: g.MaxPrefetchDistance,
		FetchTimeout: g.FetchTimeout, BackoffMin: g.BackoffMin, BackoffMax: g.Backoff,
	}
	if t.Audit != "" {
		second, err := stores.Open(ctx, t.Audit, stores.Options{})
		if err != nil {
			return err
		}
		defer func() { _ = second.Close() }()
		w.options.Audit = segment.NewAudit(second)
	}
	if err := w.renew(nil); err != nil {
		return err
	}
	var taking sync.WaitGroup
	errs := make(chan error, t.Goroutines)
	for i := range t.Goroutines {
		taking.Go(func() {
			if err := w.take(ctx, i); err != nil {
				errs <- err
				stop()
			}
		})
	}
	told := make(chan error, 1)
	telling, done := context.WithCancel(context.Background())
	defer done()
	go func() { told <- fleet.Tell(telling, out, w.tell) }()
	taking.Wait()
	w.end()
	done()
	close(errs)
	return errors.Join(<-errs, <-told, w.generator.Close())
}

// renew makes a generator in place of old, unless another goroutine has done so.
func (w *worker) renew(old *segment.Generator) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.generator != old {
		return nil
	}
	g, err := segment.New(w.counters, counter, w.options)
	if err != nil {
		return err
	}
	w.generator = g
	return nil
}

func (w *worker) current() *segment.Generator {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.generator
}

func (w *worker) tell() any {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.progress
}

func (w *worker) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.progress.Ended = true
}

// callerPatience is how long a call of a worker waits at most.
const callerPatience = 500 * time.Millisecond

// take is a goroutine of a worker. It returns nil when ctx ends or when the
// generator has stopped.
func (w *worker) take(ctx context.Context, goroutine int) error {
	t := w.task
	log, err := CreateLog(t.Folder, Source{t.Process, t.Run, goroutine})
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	random := rand.New(rand.NewPCG(t.Seed, uint64(goroutine)))
	begun := time.Now()
	var had int64
	var batch []int64
	for ctx.Err() == nil {
		due := int64(time.Since(begun).Seconds()*t.Rate) - had
		if due <= 0 {
			// Bursts of random length, since callers don't come like clockwork.
			fleet.Pause(ctx, time.Duration(1+random.Int64N(20))*time.Millisecond)
			continue
		}
		g := w.current()
		call, cancel := context.WithTimeout(ctx, callerPatience)
		batch = batch[:0]
		if random.IntN(1000) == 0 && due > 1 {
			batch, err = segment.Append(call, g, batch, int(1+random.Int64N(min(due, 2000))))
		} else {
			var n int64
			if n, err = g.Next(call); err == nil {
				batch = append(batch, n)
			}
		}
		cancel()
		if len(batch) > 0 {
			if err := log.Append(batch...); err != nil {
				return err
			}
			had += int64(len(batch))
		}
		if again := w.count(ctx, len(batch), err); !again {
			if !t.Unguarded || ctx.Err() != nil {
				return nil
			}
			if err := w.renew(g); err != nil {
				return err
			}
		} else if err != nil {
			fleet.Pause(ctx, time.Duration(1+random.Int64N(20))*time.Millisecond)
		}
	}
	return nil
}

// count notes the result of a call, and tells whether the generator goes on.
func (w *worker) count(ctx context.Context, numbers int, err error) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := &w.progress
	p.Numbers += int64(numbers)
	switch {
	case err == nil || ctx.Err() != nil:
	case errors.Is(err, segment.ErrRolledBack):
		p.RolledBack = err.Error()
		return false
	case errors.Is(err, segment.ErrBackoff):
		p.Backoff++
	case errors.Is(err, segment.ErrFetch):
		p.Fetch++
	case errors.Is(err, context.DeadlineExceeded):
		p.Deadline++
	default:
		p.Unexpected = err.Error()
	}
	return true
}
