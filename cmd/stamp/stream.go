package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/stampid/go-stamp/cmd/internal/cli"
	"github.com/stampid/go-stamp/cmd/stamp/internal/lines"
)

// stream is one run of a command that answers each of its arguments, or, when
// there are none, each line of standard input, in bounded memory.
type stream struct {
	s     *streams
	what  string // the items, for people: "ids"
	limit int    // of an item, in bytes
	trim  bool   // blanks around a line aren't part of the item

	// answer appends what is said about an item. Its error refuses the item,
	// and the others go on.
	answer func(dst, item []byte) ([]byte, error)

	out     *bufio.Writer
	said    []byte
	refused bool // at least one item was
}

// run answers everything. Refused items are reported when they come up, and at
// the end make the error errReported.
func (r *stream) run(arguments []string) error {
	r.out = bufio.NewWriterSize(r.s.out, 1<<16)
	var err error
	if len(arguments) > 0 {
		err = r.arguments(arguments)
	} else {
		err = r.input()
	}
	err = errors.Join(err, r.out.Flush())
	switch {
	case cli.IsClosedPipe(err):
		return nil
	case err == nil && r.refused:
		return errReported
	}
	return err
}

func (r *stream) arguments(items []string) error {
	for n, item := range items {
		refusal := error(&lines.TooLongError{Length: uint64(len(item)), Limit: r.limit})
		if len(item) <= r.limit {
			r.said, refusal = r.answer(r.said[:0], []byte(item))
		}
		if err := r.settle("argument", uint64(n+1), refusal); err != nil {
			return err
		}
	}
	return nil
}

func (r *stream) input() error {
	if r.s.inIsTerminal {
		r.s.report("reading %s from the terminal, one a line", r.what)
	}
	source, done := r.s.watched()
	defer done()
	in := lines.NewReader(source, r.limit)
	for {
		// Whoever writes the items one by one gets the answers one by one.
		if !in.Buffered() {
			if err := r.out.Flush(); err != nil {
				return err
			}
		}
		line, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil && !errors.Is(err, lines.ErrTooLong) {
			return fmt.Errorf("line %d: %w", in.Number(), err)
		}
		if err == nil {
			if r.trim {
				line = bytes.TrimSpace(line)
			}
			if len(line) == 0 {
				continue
			}
			r.said, err = r.answer(r.said[:0], line)
		}
		if err := r.settle("line", in.Number(), err); err != nil {
			return err
		}
	}
}

// settle writes the answer to an item or reports its refusal. The error is one
// of standard output, which ends the run.
func (r *stream) settle(kind string, number uint64, refusal error) error {
	if refusal == nil {
		_, err := r.out.Write(r.said)
		return err
	}
	r.refused = true
	// What was answered before belongs above the message.
	err := r.out.Flush()
	r.s.report("%s %d: %v", kind, number, refusal)
	return err
}
