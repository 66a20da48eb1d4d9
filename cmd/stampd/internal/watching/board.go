package watching

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Source is what is asked for figures. It is asked once at a time.
type Source interface {
	// Name is for people.
	Name() string
	// Ask returns the figures of now. It ends when ctx does.
	Ask(ctx context.Context) ([]Row, error)
}

// Board keeps the last figures of sources. It is safe for concurrent use.
type Board struct {
	sources []Source
	timeout time.Duration

	mu    sync.Mutex
	known []standing // by source
}

// standing is what is known of a source.
type standing struct {
	rows     []Row
	answered time.Time // zero: never
	began    time.Time // when the first question was put
	err      error     // of the last question
}

// NewBoard makes a board of sources, each of which may take until timeout to
// answer.
func NewBoard(sources []Source, timeout time.Duration) *Board {
	return &Board{sources: sources, timeout: timeout, known: make([]standing, len(sources))}
}

// Sources is how many there are.
func (b *Board) Sources() int { return len(b.sources) }

// AskAll asks each source once, and waits for all answers.
func (b *Board) AskAll(ctx context.Context) {
	var asking sync.WaitGroup
	for i := range b.sources {
		asking.Go(func() { b.ask(ctx, i) })
	}
	asking.Wait()
}

// Run asks each source at once and then every interval, until ctx ends. It
// returns when all are done.
func (b *Board) Run(ctx context.Context, interval time.Duration) {
	var running sync.WaitGroup
	for i := range b.sources {
		running.Go(func() {
			tick := time.NewTicker(interval)
			defer tick.Stop()
			for {
				b.ask(ctx, i)
				select {
				case <-tick.C:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	running.Wait()
}

// ask asks one source. What a source told before stays on the board while it
// fails.
func (b *Board) ask(ctx context.Context, i int) {
	b.mu.Lock()
	if b.known[i].began.IsZero() {
		b.known[i].began = time.Now()
	}
	b.mu.Unlock()
	limited, cancel := context.WithTimeoutCause(ctx, b.timeout, fmt.Errorf("no answer within %v", b.timeout))
	defer cancel()
	rows, err := b.sources[i].Ask(limited)
	if ctx.Err() != nil {
		return // the end is no failure of the source's
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	s := &b.known[i]
	if s.err = err; err == nil {
		s.rows, s.answered = rows, time.Now()
	}
}

// Rows are those of all sources, sorted: what failed first, and then what ends
// first.
func (b *Board) Rows() []Row {
	now := time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []Row
	for i, s := range b.known {
		switch {
		case s.err == nil:
			all = append(all, s.rows...)
		case len(s.rows) == 0:
			all = append(all, Row{
				Source: b.sources[i].Name(), Left: Forever, Err: s.err, Age: now.Sub(s.began),
				Level: Critical, State: s.err.Error(),
			})
		default:
			for _, row := range s.rows {
				row.Err, row.Age, row.Level = s.err, now.Sub(s.answered), Critical
				row.State = fmt.Sprintf("%s old: %v", shortDuration(row.Age), s.err)
				all = append(all, row)
			}
		}
	}
	sortRows(all)
	return all
}
