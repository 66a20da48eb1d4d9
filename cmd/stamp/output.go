package main

import (
	"context"
	"errors"
	"io"
	"time"
)

// errClosed says that the reader of standard output went away.
var errClosed = errors.New("standard output was closed")

// grace is how long a write may go on after its context ended.
const grace = 200 * time.Millisecond

// contextWriter writes until its context ends, also when w blocks for ever, as
// a pipe does that nobody reads. Such a write goes on behind the caller's back.
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
	if isClosedPipe(err) {
		return errClosed
	}
	return err
}

// atomicSize is up to how many bytes Linux writes to a pipe as a whole.
const atomicSize = 4096

// lineWriter writes whole lines, as many at once as a pipe takes as a whole: so
// its reader gets no half id, which could look like another one, when the
// process ends in the middle.
type lineWriter struct {
	w     io.Writer
	ready []byte // whole lines
	line  []byte
}

// next returns where to append the next line.
func (l *lineWriter) next() []byte { return l.line[:0] }

// write takes a line.
func (l *lineWriter) write(line []byte) error {
	l.line = line
	if len(l.ready)+len(line) > atomicSize {
		if err := l.flush(); err != nil {
			return err
		}
	}
	l.ready = append(l.ready, line...)
	return nil
}

// flush writes what is there.
func (l *lineWriter) flush() error {
	_, err := l.w.Write(l.ready)
	l.ready = l.ready[:0]
	return err
}
