package fleet

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
)

// process is a worker that runs, or has ended by itself.
type process[P any] struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	done  chan struct{} // closed when it has ended and all it said was read
	mu    sync.Mutex
	last  P
	err   error // how it ended
}

func start[P any](variable string, task any) (*process[P], error) {
	text, err := json.Marshal(task)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), variable+"="+string(text))
	cmd.Stderr = os.Stderr
	stdin, err1 := cmd.StdinPipe()
	stdout, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		return nil, err
	}
	p := &process[P]{cmd: cmd, stdin: stdin, done: make(chan struct{})}
	go p.read(stdout)
	return p, nil
}

// read keeps what the process tells last.
func (p *process[P]) read(stdout io.Reader) {
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		var said P
		if json.Unmarshal(lines.Bytes(), &said) == nil {
			p.mu.Lock()
			p.last = said
			p.mu.Unlock()
		}
	}
	p.err = p.cmd.Wait()
	close(p.done)
}

func (p *process[P]) progress() P {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

func (p *process[P]) hasEnded() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// kill ends the process, unless it has ended by itself, and tells whether it did.
func (p *process[P]) kill() (killed bool) {
	if !p.hasEnded() {
		killed = p.cmd.Process.Kill() == nil
		<-p.done
		p.err = nil // it says that it was killed
	}
	_ = p.stdin.Close()
	return killed
}

// end asks the process to come to an end, and waits for that.
func (p *process[P]) end() {
	_ = p.stdin.Close()
	<-p.done
}
