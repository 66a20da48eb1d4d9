package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"
)

// ErrClosed says that the reader of standard output went away.
var ErrClosed = errors.New("standard output was closed")

// grace is how long a write may go on after its context ended.
const grace = 200 * time.Millisecond

// ContextWriter writes until its context ends, also when w blocks for ever, as
// a pipe does that nobody reads. Such a write goes on behind the caller's back.
// Its errors are [ErrClosed], the context's cause, and those of the writer.
func ContextWriter(ctx context.Context, w io.Writer) io.Writer { return contextWriter{ctx, w} }

type contextWriter struct {
	ctx context.Context
	w   io.Writer
}

type written struct {
	n   int
	err error
}

func (c contextWriter) Write(p []byte) (int, error) {
	done := make(chan written, 1)
	go func() {
		n, err := c.w.Write(p)
		done <- written{n, err}
	}()
	select {
	case r := <-done:
		return r.n, closedOr(r.err)
	case <-c.ctx.Done():
	}
	select {
	case r := <-done:
		return r.n, closedOr(r.err)
	case <-time.After(grace):
		return 0, context.Cause(c.ctx)
	}
}

func closedOr(err error) error {
	if IsClosedPipe(err) {
		return ErrClosed
	}
	return err
}

// atomicSize is up to how many bytes Linux writes to a pipe as a whole.
const atomicSize = 4096

// LineWriter writes whole lines, as many at once as a pipe takes as a whole: so
// its reader gets no half id, which could look like another one, when the
// process ends in the middle.
type LineWriter struct {
	W io.Writer
	// Lines is how many lines W is known to have taken. If Unsure, a write
	// failed, and it may have taken more.
	Lines  int64
	Unsure bool

	ready []byte // whole lines
	line  []byte
}

// Next returns where to append the next line.
func (l *LineWriter) Next() []byte { return l.line[:0] }

// Write takes a line.
func (l *LineWriter) Write(line []byte) error {
	l.line = line
	if len(l.ready)+len(line) > atomicSize {
		if err := l.Flush(); err != nil {
			return err
		}
	}
	l.ready = append(l.ready, line...)
	return nil
}

// Flush writes what is there.
func (l *LineWriter) Flush() error {
	if len(l.ready) == 0 {
		return nil
	}
	n, err := l.W.Write(l.ready)
	l.Lines += int64(bytes.Count(l.ready[:n], []byte("\n")))
	l.Unsure = l.Unsure || err != nil
	l.ready = l.ready[:0]
	return err
}
