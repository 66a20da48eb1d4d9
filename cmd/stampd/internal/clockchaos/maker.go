package clockchaos

import (
	"cmp"
	"context"
	"math/rand/v2"
	"time"

	"github.com/stampid/go-stamp/cmd/stampd/internal/fleet"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/stamp"
)

// maker is a goroutine of a worker.
type maker struct {
	*worker
	goroutine int
	logs      map[uint64]*Log // by node
	random    *rand.Rand
	ids       []stamp.ID
}

// make makes ids until ctx ends.
func (w *worker) make(ctx context.Context, goroutine int) error {
	t := w.task
	m := maker{worker: w, goroutine: goroutine, logs: map[uint64]*Log{}, random: rand.New(rand.NewPCG(t.Seed, uint64(goroutine)))}
	defer func() {
		for _, log := range m.logs {
			_ = log.Close()
		}
	}()
	if goroutine == 0 && t.Burst > 0 {
		if err := m.burst(ctx); err != nil {
			return err
		}
	}
	begun := time.Now()
	for made := 0; ctx.Err() == nil; {
		due := int(time.Since(begun).Seconds()*t.Rate) - made
		if due <= 0 {
			// Bursts of random length, since callers don't come like clockwork.
			fleet.Pause(ctx, time.Duration(1+m.random.IntN(20))*time.Millisecond)
			continue
		}
		n, err := m.some(ctx, m.sequence(), m.amount(due))
		if err != nil {
			return err
		}
		made += min(n, due) // a burst is beyond the rate
	}
	return nil
}

// burst makes the ids of the task's burst.
func (m *maker) burst(ctx context.Context) error {
	for sequence := range m.task.Early {
		for left := m.task.Burst; left > 0 && ctx.Err() == nil; {
			n, err := m.some(ctx, sequence, m.atMost(left))
			if err != nil {
				return err
			}
			left -= n
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.progress.Burst = ctx.Err() == nil
	return nil
}

// some makes up to n ids of a sequence, and notes them. An error is about the
// worker; one of the call is counted.
func (m *maker) some(ctx context.Context, sequence, n int) (had int, err error) {
	h := m.current()
	if h == nil {
		if h, err = m.renew(ctx, nil); h == nil {
			return 0, err
		}
	}
	var callErr error
	m.ids, callErr = h.take(ctx, m.random, sequence, m.ids[:0], n)
	if len(m.ids) > 0 {
		if err := m.note(h, sequence); err != nil {
			return 0, err
		}
	}
	kind := kindOf(callErr)
	m.count(ctx, len(m.ids), callErr, kind)
	switch {
	case kind == errLost:
		// The one who has the node now shall have it for a while.
		fleet.Pause(ctx, time.Duration(10+m.random.IntN(500))*time.Millisecond)
		_, err = m.renew(ctx, h)
	case callErr != nil:
		fleet.Pause(ctx, time.Duration(1+m.random.IntN(20))*time.Millisecond)
	}
	return len(m.ids), err
}

// note writes what the last call returned to the log of the holder's node.
func (m *maker) note(h *holder, sequence int) error {
	log := m.logs[h.node]
	if log == nil {
		var err error
		if log, err = CreateLog(m.task.Folder, Source{h.node, m.task.Process, m.task.Run, m.goroutine}); err != nil {
			return err
		}
		m.logs[h.node] = log
	}
	return log.Append(sequence, h.number, m.ids...)
}

// sequence draws one of those that are in use.
func (m *maker) sequence() int {
	if time.Since(m.begun) < m.task.Late {
		return m.random.IntN(m.task.Early)
	}
	return m.random.IntN(sequences)
}

// amount draws how many ids to make at once, when so many are due. A burst is
// more than that, and takes generation far ahead of the clock.
func (m *maker) amount(due int) int {
	const batches = 0.05
	switch share := m.random.Float64(); {
	case share < m.task.Bursts:
		return m.atMost(5_000 + m.random.IntN(50_000))
	case share < m.task.Bursts+batches:
		return m.atMost(1 + m.random.IntN(min(due, 2000)))
	}
	return 1
}

// atMost is n, or less where the policy, or the fence, doesn't allow for so many at
// once.
func (m *maker) atMost(n int) int {
	n = min(n, sequence.MaxBatch)
	ahead := m.task.MaxAhead
	if m.task.Policy == stamp.Advance {
		if m.task.Store == "" {
			return n
		}
		ahead = cmp.Or(m.task.Fence.Window, fence.DefaultWindow)
	}
	units := int(ahead / timescale().Unit)
	return min(n, max(1, units*int(layout().MaxSequence())))
}
