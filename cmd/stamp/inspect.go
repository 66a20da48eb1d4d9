package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/stampid/go-stamp/cmd/stamp/internal/format"
	"github.com/stampid/go-stamp/cmd/stamp/internal/idtext"
	"github.com/stampid/go-stamp/cmd/stamp/internal/lines"
	"github.com/stampid/go-stamp/cmd/stamp/internal/view"
	"github.com/stampid/go-stamp/encode"
)

type inspectCommand struct {
	IDs  []string `arg:"" optional:"" name:"id" help:"Ids. Without any they are read from standard input, one a line."`
	Draw *bool    `negatable:"" help:"Draw each id, or show each on one line. Default: draw arguments."`
	JSON bool     `name:"json" help:"Print an object per line."`

	formatFlags
	textFlags
}

// Help is shown below the flags.
func (inspectCommand) Help() string {
	return `Shows the fields of ids and when they were made. Without --codec, digits alone are decimal, and
anything else is base62 after a prefix: all up to the last _, or the one of --prefix.

JSON has the fields id (a string), text, partition, time, node, sequence, timestamp and
age_seconds; what the layout doesn't have is left out.

Empty lines are skipped. An id that is refused is named on standard error with its line; the
others are shown, and the exit code is 1.`
}

// Run takes the ids apart.
func (c *inspectCommand) Run(s *streams) error {
	f, err := c.format()
	if err != nil {
		return err
	}
	if c.JSON && c.Draw != nil && *c.Draw {
		return &usageError{errors.New("--json and --draw exclude each other")}
	}
	var codec encode.Codec
	if c.Codec != nil {
		codec = encode.Standard(*c.Codec)
	}
	reader, err := idtext.NewReader(codec, c.Prefix, f.Layout.Width())
	if err != nil {
		return &usageError{err}
	}
	i := &inspection{s: s, format: f, reader: reader, json: c.JSON, draw: len(c.IDs) > 0, out: bufio.NewWriterSize(s.out, 1<<16)}
	if c.Draw != nil {
		i.draw = *c.Draw
	}
	if len(c.IDs) > 0 {
		err = i.arguments(c.IDs)
	} else {
		err = i.input()
	}
	err = errors.Join(err, i.out.Flush())
	switch {
	case isClosedPipe(err):
		return nil
	case err == nil && i.refused:
		return errReported
	}
	return err
}

// inspection is one run of the command.
type inspection struct {
	s          *streams
	format     format.Format
	reader     *idtext.Reader
	json, draw bool
	out        *bufio.Writer
	line       []byte
	refused    bool // at least one id was
}

func (i *inspection) arguments(ids []string) error {
	for n, id := range ids {
		err := error(&lines.TooLongError{Length: uint64(len(id)), Limit: idtext.Limit})
		if len(id) <= idtext.Limit {
			err = i.show([]byte(id))
		}
		if err := i.settle("argument", uint64(n+1), err); err != nil {
			return err
		}
	}
	return nil
}

func (i *inspection) input() error {
	if i.s.inIsTerminal {
		i.s.report("reading ids from the terminal, one a line")
	}
	in := lines.NewReader(i.s.in, idtext.Limit)
	for {
		// Whoever writes the ids one by one gets to see them one by one.
		if !in.Buffered() {
			if err := i.out.Flush(); err != nil {
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
		if line = bytes.TrimSpace(line); err == nil {
			if len(line) == 0 {
				continue
			}
			err = i.show(line)
		}
		if err := i.settle("line", in.Number(), err); err != nil {
			return err
		}
	}
}

// writeError is a failure of standard output, which ends the run, while a
// refused id doesn't.
type writeError struct{ cause error }

func (e *writeError) Error() string { return e.cause.Error() }
func (e *writeError) Unwrap() error { return e.cause }

// settle reports the error of an id, and returns one that ends the run.
func (i *inspection) settle(kind string, number uint64, err error) error {
	var broken *writeError
	if err == nil || errors.As(err, &broken) {
		return err
	}
	i.refused = true
	// What was shown before belongs above the message.
	flushed := i.out.Flush()
	i.s.report("%s %d: %v", kind, number, err)
	return flushed
}

// show writes an id in the form that is asked for.
func (i *inspection) show(text []byte) error {
	read, err := i.reader.Read(text)
	if err != nil {
		return err
	}
	v, err := view.New(i.format, read.ID)
	if err != nil {
		return err
	}
	v.Text, v.Form = read.Text, read.Form
	now := i.s.now()
	switch {
	case i.json:
		i.line = v.AppendJSON(i.line[:0], now)
	case i.draw:
		i.line = append(i.line[:0], v.Box(now, i.s.color)...)
	default:
		i.line = v.AppendLine(i.line[:0])
	}
	if _, err := i.out.Write(i.line); err != nil {
		return &writeError{err}
	}
	return nil
}
