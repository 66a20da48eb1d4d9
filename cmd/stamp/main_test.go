package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// mainVariable makes the test binary the command itself.
const mainVariable = "STAMP_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(mainVariable) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// machine is where commands run: a user's home of its own. Commands that hang
// are killed.
type machine struct {
	home string
	ctx  context.Context //nolint:containedctx // of the test
}

func newMachine(t *testing.T) machine {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return machine{t.TempDir(), ctx}
}

// command is a run of the command as a process.
func (m machine) command(args ...string) *exec.Cmd {
	c := exec.CommandContext(m.ctx, os.Args[0], args...)
	c.Env = append(os.Environ(), mainVariable+"=1", "HOME="+m.home, "LocalAppData="+m.home,
		"XDG_CACHE_HOME="+filepath.Join(m.home, ".cache"))
	return c
}

// run runs a command to its end.
func (m machine) run(t *testing.T, input string, args ...string) (code int, out, message string) {
	t.Helper()
	c := m.command(args...)
	var stdout, stderr bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(input), &stdout, &stderr
	if err := c.Run(); err != nil {
		require.IsType(t, &exec.ExitError{}, err)
	}
	return c.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

// bound returns the path of the only record of a node.
func (m machine) bound(t *testing.T, node string) string {
	t.Helper()
	var found []string
	require.NoError(t, filepath.WalkDir(m.home, func(path string, _ os.DirEntry, err error) error {
		if filepath.Base(path) == "node-"+node+".bound" {
			found = append(found, path)
		}
		return err
	}))
	require.Len(t, found, 1)
	return found[0]
}

// fixed are streams in memory, at an instant in a zone two hours east.
func fixed(input string) (s *streams, out, message *bytes.Buffer) {
	out, message = &bytes.Buffer{}, &bytes.Buffer{}
	now := time.Date(2026, 8, 9, 14, 0, 0, 0, time.FixedZone("", 2*3600))
	return &streams{in: strings.NewReader(input), out: out, err: message, now: func() time.Time { return now }}, out, message
}

var update = flag.Bool("update", false, "write the golden files anew")

// requireGolden fails unless a text is the one of a file in testdata.
func requireGolden(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), text)
}

// answer runs a command in memory, which must say nothing but its output.
func answer(t *testing.T, input, args string) string {
	t.Helper()
	s, out, message := fixed(input)
	require.Zero(t, run(strings.Fields(args), s), message.String())
	require.Empty(t, message.String())
	return out.String()
}

// requireUsage fails unless each command line is refused as wrong usage, with
// a text in the message.
func requireUsage(t *testing.T, messages map[string]string) {
	t.Helper()
	for args, want := range messages {
		s, out, message := fixed("")
		require.Equal(t, exitUsage, run(strings.Fields(args), s), args)
		require.Contains(t, message.String(), want, args)
		require.Empty(t, out.String(), args)
	}
}

// requireFirstLineEnough reads a command's first line, and fails unless the
// command then ends in order, though its output is closed.
func requireFirstLineEnough(t *testing.T, c *exec.Cmd) (line string) {
	t.Helper()
	pipe, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	line, err = bufio.NewReaderSize(pipe, 16).ReadString('\n')
	require.NoError(t, err)
	require.NoError(t, pipe.Close())
	require.NoError(t, c.Wait(), "exit code 0")
	return line
}

// requireUnique fails when an id is in two of the outputs, or twice in one.
func requireUnique(t *testing.T, outputs ...string) (count int) {
	t.Helper()
	seen := map[string]bool{}
	for _, output := range outputs {
		for line := range strings.Lines(output) {
			require.False(t, seen[line], "%s was made twice", line)
			seen[line] = true
		}
	}
	return len(seen)
}
