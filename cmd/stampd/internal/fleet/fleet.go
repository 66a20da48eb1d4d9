package fleet

import (
	"errors"
	"fmt"
	"os"
	"sync"
)

// Progress is what workers tell, and can be added up.
type Progress[P any] interface {
	// Plus returns the sum, in which the argument is what was told later.
	Plus(P) P
}

// Fleet is a number of workers, each in a process. Its methods may be called by
// several goroutines, those on one worker by one after the other.
type Fleet[P Progress[P]] struct {
	variable string
	task     func(process, run int) any
	members  []*member[P]
}

// member is a worker that is started again and again.
type member[P Progress[P]] struct {
	mu      sync.Mutex
	running *process[P] // nil: it isn't
	past    P           // the sum over all starts before
	starts  int
	kills   int
	crashed []error
}

// New makes a fleet of so many workers. Nothing runs yet. Task returns what the
// run-th start of a worker is told, both counted from 0, in the environment
// variable.
func New[P Progress[P]](variable string, size int, task func(process, run int) any) *Fleet[P] {
	f := &Fleet[P]{variable: variable, task: task}
	for range size {
		f.members = append(f.members, new(member[P]))
	}
	return f
}

// StartAll starts those that don't run.
func (f *Fleet[P]) StartAll() error {
	var errs []error
	for i := range f.members {
		errs = append(errs, f.Start(i))
	}
	return errors.Join(errs...)
}

// Start starts a worker, if it doesn't run.
func (f *Fleet[P]) Start(i int) error {
	m := f.members[i]
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.running != nil {
		if !m.running.hasEnded() {
			return nil
		}
		m.reap()
	}
	p, err := start[P](f.variable, f.task(i, m.starts))
	if err != nil {
		return fmt.Errorf("process %d: %w", i, err)
	}
	m.running = p
	m.starts++
	return nil
}

// reap adds a process that has ended to the past.
func (m *member[P]) reap() {
	m.past = m.past.Plus(m.running.progress())
	if m.running.err != nil {
		m.crashed = append(m.crashed, m.running.err)
	}
	m.running = nil
}

// Kill kills a worker without notice, and returns when it is gone.
func (f *Fleet[P]) Kill(i int) {
	m := f.members[i]
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.running == nil {
		return
	}
	if m.running.kill() {
		m.kills++
	}
	m.reap()
}

// KillAll kills all of them at once.
func (f *Fleet[P]) KillAll() {
	var killing sync.WaitGroup
	for i := range f.members {
		killing.Go(func() { f.Kill(i) })
	}
	killing.Wait()
}

// Freeze stops a worker where it is, and Thaw lets it go on. They do nothing to
// one that doesn't run.
func (f *Fleet[P]) Freeze(i int) error { return f.signal(i, freeze) }

// Thaw ends a Freeze.
func (f *Fleet[P]) Thaw(i int) error { return f.signal(i, thaw) }

func (f *Fleet[P]) signal(i int, send func(*os.Process) error) error {
	m := f.members[i]
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.running == nil {
		return nil
	}
	if err := send(m.running.cmd.Process); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("process %d: %w", i, err)
	}
	return nil
}

// End lets a worker come to an end, and waits for it.
func (f *Fleet[P]) End(i int) {
	m := f.members[i]
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.running != nil {
		m.running.end()
		m.reap()
	}
}

// EndAll lets all of them come to an end at once, and waits for it.
func (f *Fleet[P]) EndAll() {
	var ending sync.WaitGroup
	for i := range f.members {
		ending.Go(func() { f.End(i) })
	}
	ending.Wait()
}

// Running returns what each worker that runs has told last.
func (f *Fleet[P]) Running() (told []P) {
	for _, m := range f.members {
		m.mu.Lock()
		if m.running != nil {
			told = append(told, m.running.progress())
		}
		m.mu.Unlock()
	}
	return told
}

// Told returns what a worker has told last, nothing if it doesn't run.
func (f *Fleet[P]) Told(i int) (told P) {
	m := f.members[i]
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.running != nil {
		told = m.running.progress()
	}
	return told
}

// Tally is what a fleet has done so far.
type Tally[P any] struct {
	Progress P // of all processes; of killed ones up to a moment before
	Starts   int
	Kills    int
	Crashed  []error // of processes that ended with an error
}

// Tally adds up.
func (f *Fleet[P]) Tally() Tally[P] {
	var t Tally[P]
	for _, m := range f.members {
		m.mu.Lock()
		t.Progress = t.Progress.Plus(m.past)
		if m.running != nil {
			t.Progress = t.Progress.Plus(m.running.progress())
		}
		t.Starts += m.starts
		t.Kills += m.kills
		t.Crashed = append(t.Crashed, m.crashed...)
		m.mu.Unlock()
	}
	return t
}
