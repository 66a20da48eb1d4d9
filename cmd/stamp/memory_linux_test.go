package main

import (
	"io"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A hundred times the lines take no more memory. The margin is less than what a
// tenth of the longer output takes.
func TestCommandsStreamInBoundedMemory(t *testing.T) {
	for _, args := range []string{"inspect --json", "decode --json", "encode --json --codec base62", "partition --layout 4/41/6/12"} {
		t.Run(args, func(t *testing.T) {
			line := "00Ys2NBAObg\n"
			if strings.HasPrefix(args, "encode") {
				line = "76138656151\n"
			}
			short, long := peak(t, args, line, 10_000), peak(t, args, line, 1_000_000)
			require.Less(t, long, short+8<<20, "from %d bytes", short)
		})
	}
}

// peak is the largest resident set of a command for so many lines.
func peak(t *testing.T, args, line string, lines int) (size int64) {
	t.Helper()
	c := newMachine(t).command(strings.Fields(args)...)
	c.Stdin = io.LimitReader(repeat(line), int64(lines*len(line)))
	var count counter
	c.Stdout = &count
	require.NoError(t, c.Run())
	require.EqualValues(t, lines, count)
	return c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
}

// repeat reads as a text again and again.
type repeat string

func (r repeat) Read(p []byte) (int, error) {
	block := strings.Repeat(string(r), 1000)
	n := 0
	for len(p)-n >= len(r) {
		n += copy(p[n:], block[:min(len(block), (len(p)-n)/len(r)*len(r))])
	}
	if n == 0 {
		return 0, io.ErrShortBuffer
	}
	return n, nil
}

// counter counts lines.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(strings.Count(string(p), "\n"))
	return len(p), nil
}
