package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
	"github.com/stampid/go-stamp/cmd/stampd/internal/testservers"
	"github.com/stampid/go-stamp/store"
)

// mainVariable makes the test binary the command itself.
const mainVariable = "STAMPD_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(mainVariable) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// machine is where commands run: a working folder of its own, with the default
// store in it. Commands that hang are killed.
type machine struct {
	folder string
	ctx    context.Context //nolint:containedctx // of the test
}

func newMachine(t *testing.T) machine {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	return machine{t.TempDir(), ctx}
}

// command is a run of the command as a process.
func (m machine) command(args ...string) *exec.Cmd {
	c := exec.CommandContext(m.ctx, os.Args[0], args...)
	c.Env = []string{mainVariable + "=1"}
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "STAMPD_") {
			c.Env = append(c.Env, variable)
		}
	}
	c.Dir = m.folder
	return c
}

// run runs a command to its end.
func (m machine) run(t *testing.T, args ...string) (code int, out, message string) {
	t.Helper()
	return runCommand(t, m.command(args...))
}

func runCommand(t *testing.T, c *exec.Cmd) (code int, out, message string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		require.IsType(t, &exec.ExitError{}, err)
	}
	return c.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

// done runs a command that has to succeed, and returns what it prints.
func (m machine) done(t *testing.T, args ...string) string {
	t.Helper()
	code, out, message := m.run(t, args...)
	require.Zero(t, code, "%v: %s", args, message)
	return out
}

// everywhere runs a test on stores of each kind, that of a running stampd
// included.
func everywhere(t *testing.T, test func(t *testing.T, m machine, address string)) {
	for name, newURL := range testservers.URLs() {
		t.Run(name, func(t *testing.T) { test(t, newMachine(t), newURL(t)) })
	}
	t.Run("served", func(t *testing.T) {
		m := newMachine(t)
		test(t, m, "http://"+m.serve(t, "--store", "sqlite:served.db").address)
	})
}

// peek is where a counter stands.
func peek(t *testing.T, address, name string) int64 {
	t.Helper()
	s, err := stores.Open(t.Context(), address, stores.Options{})
	require.NoError(t, err)
	at, err := s.Peek(t.Context(), store.Key{Namespace: "default", Name: name})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	return at
}

// begin starts a command and reads its first line.
func begin(t *testing.T, c *exec.Cmd) (out *bufio.Reader, first string) {
	t.Helper()
	pipe, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	out = bufio.NewReader(pipe)
	first, err = out.ReadString('\n')
	require.NoError(t, err)
	return out, first
}

// whole reads what is left, up to the last line that is whole.
func whole(out io.Reader) string {
	rest, _ := io.ReadAll(out)
	return string(rest[:bytes.LastIndexByte(rest, '\n')+1])
}

// numbers are those of outputs, each in rising order and none twice.
func numbers(t *testing.T, outputs ...string) []int64 {
	t.Helper()
	var all []int64
	for _, output := range outputs {
		from := len(all)
		for line := range strings.Lines(output) {
			n, err := strconv.ParseInt(strings.TrimSuffix(line, "\n"), 10, 64)
			require.NoError(t, err)
			all = append(all, n)
		}
		require.True(t, slices.IsSorted(all[from:]), "rising")
	}
	slices.Sort(all)
	require.Len(t, slices.Compact(slices.Clone(all)), len(all), "a number was printed twice")
	return all
}

// requireRange fails unless numbers are all from first to last.
func requireRange(t *testing.T, found []int64, first, last int64) {
	t.Helper()
	require.NotEmpty(t, found)
	require.Equal(t, first, found[0])
	require.Equal(t, last, found[len(found)-1])
	require.EqualValues(t, last-first+1, len(found))
}

// inMemory are streams of a run in this process.
func inMemory(input string) (s *streams, out, message *bytes.Buffer) {
	out, message = &bytes.Buffer{}, &bytes.Buffer{}
	return &streams{in: strings.NewReader(input), out: out, err: message}, out, message
}

// requireUsage fails unless each command line is refused as wrong usage, with a
// text in the message, before anything is done.
func requireUsage(t *testing.T, command string, messages map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for args, want := range messages {
		s, out, message := inMemory("")
		require.Equal(t, exitUsage, run(append([]string{command}, strings.Fields(args)...), s), args)
		require.Contains(t, message.String(), want, args)
		require.Empty(t, out.String(), args)
		require.NoFileExists(t, "ids.db", args)
	}
}
