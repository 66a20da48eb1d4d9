package main

import (
	"bytes"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A hundred times the numbers take no more memory. The margin is less than what
// a tenth of the longer output takes.
func TestNextStreamsInBoundedMemory(t *testing.T) {
	short, long := peak(t, 20_000), peak(t, 2_000_000)
	require.Less(t, long, short+8<<20, "from %d bytes", short)
}

// peak is the largest resident set of a run that prints so many numbers.
func peak(t *testing.T, count int) (size int64) {
	t.Helper()
	c := newMachine(t).command("next", "--store", "memory:", "--json", "-n", strconv.Itoa(count), "order")
	var lines counter
	c.Stdout = &lines
	require.NoError(t, c.Run())
	require.EqualValues(t, count, lines)
	return c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
}

// counter counts lines.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(bytes.Count(p, []byte("\n")))
	return len(p), nil
}
