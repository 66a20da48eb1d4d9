package chaos

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
)

// Fleet is a number of workers, each in a process. Its methods may be called by
// several goroutines, those on one worker by one after the other.
type Fleet struct {
	members []*member
}

// member is a worker that is started again and again.
type member struct {
	task Task // that of the next start

	mu      sync.Mutex
	running *running // nil: it isn't
	past    Progress // the sum over all starts before
	starts  int
	kills   int
	crashed []error
}

// running is a process.
type running struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	done  chan struct{} // closed when it has ended and all it said was read
	mu    sync.Mutex
	last  Progress
	err   error
}

// NewFleet makes a fleet. Nothing runs yet. The folders of the tasks must exist.
func NewFleet(tasks []Task) *Fleet {
	f := new(Fleet)
	for _, t := range tasks {
		f.members = append(f.members, &member{task: t})
	}
	return f
}

// Size is how many workers there are.
func (f *Fleet) Size() int { return len(f.members) }

// StartAll starts those that don't run.
func (f *Fleet) StartAll() error {
	var errs []error
	for i := range f.members {
		errs = append(errs, f.Start(i))
	}
	return errors.Join(errs...)
}

// Start starts a worker, if it doesn't run.
func (f *Fleet) Start(i int) error {
	m := f.members[i]
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.running != nil {
		select {
		case <-m.running.done:
			m.reap()
		default:
			return nil
		}
	}
	t := m.task
	t.Process, t.Run = i, m.starts
	t.Seed += uint64(m.starts) * 1_000_003
	r, err := startWorker(t)
	if err != nil {
		return fmt.Errorf("process %d: %w", i, err)
	}
	m.running = r
	m.starts++
	return nil
}

func startWorker(t Task) (*running, error) {
	text, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), taskVariable+"="+string(text))
	cmd.Stderr = os.Stderr
	stdin, err1 := cmd.StdinPipe()
	stdout, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		return nil, err
	}
	r := &running{cmd: cmd, stdin: stdin, done: make(chan struct{})}
	go r.read(stdout)
	return r, nil
}

// read keeps what the process tells last.
func (r *running) read(stdout io.Reader) {
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		var p Progress
		if json.Unmarshal(lines.Bytes(), &p) == nil {
			r.mu.Lock()
			r.last = p
			r.mu.Unlock()
		}
	}
	r.err = r.cmd.Wait()
	close(r.done)
}

func (r *running) progress() Progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}

// reap adds a process that has ended to the past.
func (m *member) reap() {
	p := m.running.progress()
	m.past.add(p)
	if m.running.err != nil {
		m.crashed = append(m.crashed, m.running.err)
	}
	m.running = nil
}

// add adds up what processes have told.
func (p *Progress) add(o Progress) {
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
}

// Kill kills a worker without notice, and returns when it is gone.
func (f *Fleet) Kill(i int) {
	m := f.members[i]
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.running == nil {
		return
	}
	r := m.running
	select {
	case <-r.done: // by itself
	default:
		if r.cmd.Process.Kill() == nil {
			m.kills++
		}
		<-r.done
		r.err = nil // it says that it was killed
	}
	_ = r.stdin.Close()
	m.reap()
}

// KillAll kills all of them at once.
func (f *Fleet) KillAll() {
	var killing sync.WaitGroup
	for i := range f.members {
		killing.Go(func() { f.Kill(i) })
	}
	killing.Wait()
}

// Freeze stops a worker where it is, and Thaw lets it go on. They do nothing to
// one that doesn't run.
func (f *Fleet) Freeze(i int) error { return f.signal(i, freeze) }

// Thaw ends a Freeze.
func (f *Fleet) Thaw(i int) error { return f.signal(i, thaw) }

func (f *Fleet) signal(i int, send func(*os.Process) error) error {
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

// Stop lets all workers come to an end, and waits for it.
func (f *Fleet) Stop() {
	for _, m := range f.members {
		m.mu.Lock()
		if m.running != nil {
			_ = m.running.stdin.Close()
		}
		m.mu.Unlock()
	}
	for _, m := range f.members {
		m.mu.Lock()
		if m.running != nil {
			<-m.running.done
			m.reap()
		}
		m.mu.Unlock()
	}
}

// Tally is what a fleet has done so far.
type Tally struct {
	Progress // of all processes; of killed ones up to a moment before
	Starts   int
	Kills    int
	Crashed  []error // of processes that ended with an error
}

// Tally adds up.
func (f *Fleet) Tally() Tally {
	var t Tally
	for _, m := range f.members {
		m.mu.Lock()
		t.add(m.past)
		if m.running != nil {
			t.add(m.running.progress())
		}
		t.Starts += m.starts
		t.Kills += m.kills
		t.Crashed = append(t.Crashed, m.crashed...)
		m.mu.Unlock()
	}
	return t
}

// RolledBack counts the workers whose last report says that their generator has
// stopped.
func (f *Fleet) RolledBack() int {
	n := 0
	for _, m := range f.members {
		m.mu.Lock()
		if m.running != nil && m.running.progress().RolledBack != "" {
			n++
		}
		m.mu.Unlock()
	}
	return n
}
