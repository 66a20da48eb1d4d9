package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// taker takes a number of bytes from each write, and then fails.
type taker struct {
	sizes []int
	take  int
	err   error
}

func (t *taker) Write(p []byte) (int, error) {
	t.sizes = append(t.sizes, len(p))
	if t.err != nil {
		return min(t.take, len(p)), t.err
	}
	return len(p), nil
}

func TestLineWriter(t *testing.T) {
	w := &taker{}
	l := &LineWriter{W: w}
	require.NoError(t, l.Flush())
	require.Empty(t, w.sizes, "nothing is not written")
	for range 1000 {
		require.NoError(t, l.Write(append(l.Next(), "0123456789\n"...)))
	}
	require.NoError(t, l.Flush())
	require.EqualValues(t, 1000, l.Lines)
	require.False(t, l.Unsure)
	total := 0
	for _, size := range w.sizes {
		require.LessOrEqual(t, size, atomicSize)
		require.Zero(t, size%11, "whole lines")
		total += size
	}
	require.Equal(t, 11000, total)

	// A line that is too long for a pipe goes out by itself.
	w.sizes = nil
	long := strings.Repeat("x", 2*atomicSize) + "\n"
	require.NoError(t, l.Write([]byte(long)))
	require.NoError(t, l.Write([]byte("y\n")))
	require.NoError(t, l.Flush())
	require.Equal(t, []int{len(long), 2}, w.sizes)
}

func TestLineWriterCountsWhatWasTaken(t *testing.T) {
	broken := errors.New("broken")
	l := &LineWriter{W: &taker{take: 5, err: broken}}
	require.NoError(t, l.Write([]byte("a\n")))
	require.NoError(t, l.Write([]byte("b\n")))
	require.NoError(t, l.Write([]byte("c\n")))
	require.ErrorIs(t, l.Flush(), broken)
	require.EqualValues(t, 2, l.Lines)
	require.True(t, l.Unsure)
	require.NoError(t, l.Flush(), "nothing is written twice")
	require.EqualValues(t, 2, l.Lines)
}

// stuck is a writer that nobody reads from until it is told to.
type stuck struct {
	until chan struct{}
	bytes.Buffer
}

func (s *stuck) Write(p []byte) (int, error) {
	<-s.until
	return s.Buffer.Write(p)
}

func TestContextWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("why")
		ctx, cancel := context.WithCancelCause(t.Context())
		s := &stuck{until: make(chan struct{})}
		w := ContextWriter(ctx, s)
		time.AfterFunc(time.Second, func() { cancel(why) })
		begun := time.Now()
		n, err := w.Write([]byte("x"))
		require.ErrorIs(t, err, why)
		require.Zero(t, n)
		require.Equal(t, time.Second+grace, time.Since(begun))
		close(s.until)
		synctest.Wait()

		// What can be written at once is written, also when it is over.
		n, err = w.Write([]byte("yz"))
		require.NoError(t, err)
		require.Equal(t, 2, n)
		require.Equal(t, "xyz", s.String())
	})
}

func TestAClosedPipe(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, r.Close())
	_, err = ContextWriter(t.Context(), w).Write([]byte("x"))
	require.ErrorIs(t, err, ErrClosed)
	require.NoError(t, w.Close())
	require.False(t, IsClosedPipe(io.ErrClosedPipe), "that is another thing")
	require.False(t, IsClosedPipe(nil))
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "",
		`no file "ä µ" in C:\`: `no file "ä µ" in C:\`,
		"\x1b[31m\a\n":         `\x1b[31m\a\n`,
		"a\xffb\u009b\u202e":   `a\xffb\u009b\u202e`,
	} {
		require.Equal(t, want, Printable(text))
	}
}

func TestBecause(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	failed := errors.New("failed")
	require.NoError(t, Because(ctx, nil))
	require.Equal(t, failed, Because(ctx, failed))
	cancel(&SignalError{syscall.SIGTERM})
	require.NoError(t, Because(ctx, nil), "done all the same")
	var signal *SignalError
	require.ErrorAs(t, Because(ctx, failed), &signal)
	require.Equal(t, 143, signal.Code())
	require.Equal(t, "ended by terminated", signal.Error())
}

func TestVersion(t *testing.T) {
	require.Regexp(t, `^tool \S+ \(go\S+, \w+/\w+\)$`, Version("tool"))
}
