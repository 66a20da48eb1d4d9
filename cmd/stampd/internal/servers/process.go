package servers

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
)

// process is a server's.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
	log  string
}

// startProcess starts a command that writes what it says to the file log.
func startProcess(c command, log string) (*process, error) {
	file, err := os.OpenFile(log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // the process has its own
	cmd, err := c.exec()
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = file, file
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, done: make(chan struct{}), log: log}
	go func() {
		_ = cmd.Wait() // it says that it was killed
		close(p.done)
	}()
	return p, nil
}

// exec makes the command, as its user where that is possible.
func (c command) exec() (*exec.Cmd, error) {
	cmd := exec.Command(c.path, c.args...)
	cmd.Env = append(os.Environ(), c.env...)
	cmd.Dir = c.dir
	return cmd, become(cmd, c.user)
}

// run runs a command to its end.
func (c command) run() error {
	cmd, err := c.exec()
	if err != nil {
		return err
	}
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", c.path, err, bytes.TrimSpace(output))
	}
	return nil
}

func (p *process) kill() {
	p.killAll()
	<-p.done
}

// lastWords is the end of what the server has written.
func (p *process) lastWords() string {
	const most = 1000
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(bytes.TrimSpace(text[max(0, len(text)-most):]))
}
