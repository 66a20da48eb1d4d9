package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// serving is a running stampd serve.
type serving struct {
	command *exec.Cmd
	address string

	read chan struct{} // closed once the log is read
	mu   sync.Mutex
	log  strings.Builder
}

// serve starts a server on a free port, which is killed at the end of the test.
func (m machine) serve(t *testing.T, args ...string) *serving {
	t.Helper()
	s := &serving{
		command: m.command(append([]string{"serve", "--listen", "127.0.0.1:0", "--log", "json"}, args...)...),
		read:    make(chan struct{}),
	}
	pipe, err := s.command.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, s.command.Start())
	t.Cleanup(func() {
		_ = s.command.Process.Kill()
		s.wait()
	})
	log := bufio.NewReader(pipe)
	for s.address == "" {
		line, err := log.ReadString('\n')
		require.NoError(t, err, "%s", s.logged())
		s.keep(line)
		var entry struct{ Msg, Address string }
		require.NoError(t, json.Unmarshal([]byte(line), &entry), line)
		if entry.Msg == "serving" {
			s.address = entry.Address
		}
	}
	go func() {
		defer close(s.read)
		for {
			line, err := log.ReadString('\n')
			s.keep(line)
			if err != nil {
				return
			}
		}
	}()
	return s
}

func (s *serving) keep(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log.WriteString(line)
}

// logged is the log so far.
func (s *serving) logged() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// wait waits for the end, and returns the exit code.
func (s *serving) wait() int {
	if s.address != "" {
		<-s.read
	}
	_ = s.command.Wait() // the code says it
	return s.command.ProcessState.ExitCode()
}

// ask makes a request, as a program without a library would.
func (s *serving) ask(t *testing.T, method, path string) (status int, header http.Header, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://"+s.address+path, nil)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, answer.Header, string(text)
}
