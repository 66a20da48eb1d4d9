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
func TestInspectStreamsInBoundedMemory(t *testing.T) {
	short, long := peak(t, 10_000), peak(t, 1_000_000)
	require.Less(t, long, short+8<<20, "from %d bytes", short)
}

// peak is the largest resident set of inspect for so many lines.
func peak(t *testing.T, lines int) (size int64) {
	t.Helper()
	c := newMachine(t).command("inspect", "--json")
	c.Stdin = io.LimitReader(repeat("00Ys2NBAObg\n"), int64(lines*12))
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
