package main

import (
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// openTerminal makes a pseudo-terminal: what a person has, and what programs have.
func openTerminal(t *testing.T, width, height uint16) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { _ = person.Close() })
	fd := int(person.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	resize(t, person, width, height)
	program, err = os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = program.Close() })
	return person, program
}

func resize(t *testing.T, terminal *os.File, width, height uint16) {
	t.Helper()
	require.NoError(t, unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: height, Col: width}))
}

// On a terminal, it fills the screen, follows its size, and leaves it as it was.
func TestWatchOnATerminal(t *testing.T) {
	for name, tt := range map[string]struct {
		keys    string
		code    int
		noColor bool
	}{
		"q":      {"q", exitDone, false},
		"Ctrl-C": {"\x03", 130, true},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.done(t, "next", "order")
			person, program := openTerminal(t, 100, 24)
			c := m.command("watch", "--interval", "100ms", "order", "http://127.0.0.1:1")
			c.Stdin, c.Stdout, c.Stderr = program, program, program
			c.Env = append(c.Env, "TERM=xterm")
			if tt.noColor {
				c.Env = append(c.Env, "NO_COLOR=1")
			}
			before, err := unix.IoctlGetTermios(int(program.Fd()), unix.TCGETS)
			require.NoError(t, err)
			require.NoError(t, c.Start())
			defer func() { _ = c.Process.Kill() }()

			seen := readTerminal(t, person, "default.order", "127.0.0.1:1  ")
			require.Contains(t, seen, "\x1b[?1049h")
			require.Equal(t, !tt.noColor, strings.Contains(seen, "\x1b[31;1m"))
			resize(t, person, 30, 5)
			readTerminal(t, person, "stampd watch  2 rows  2 sourc…")

			_, err = person.WriteString(tt.keys)
			require.NoError(t, err)
			readTerminal(t, person, "\x1b[?25h\x1b[?1049l")
			_ = c.Wait() // the code says it
			require.Equal(t, tt.code, c.ProcessState.ExitCode())
			after, err := unix.IoctlGetTermios(int(program.Fd()), unix.TCGETS)
			require.NoError(t, err)
			require.Equal(t, before, after)
		})
	}
}

// readTerminal reads until all texts were shown.
func readTerminal(t *testing.T, terminal *os.File, texts ...string) string {
	t.Helper()
	var seen strings.Builder
	part := make([]byte, 4096)
	require.NoError(t, terminal.SetReadDeadline(time.Now().Add(30*time.Second)))
	for {
		n, err := terminal.Read(part)
		seen.Write(part[:n])
		if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(seen.String(), text) }) {
			return seen.String()
		}
		require.NotErrorIs(t, err, io.EOF)
		require.NoError(t, err, "%.2000q", seen.String())
	}
}
