package main

import (
	"errors"

	"github.com/stampid/go-stamp/cmd/stamp/internal/idtext"
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
	r := &stream{s: s, what: "ids", limit: idtext.Limit, trim: true}
	draw := len(c.IDs) > 0
	if c.Draw != nil {
		draw = *c.Draw
	}
	r.answer = func(dst, text []byte) ([]byte, error) {
		read, err := reader.Read(text)
		if err != nil {
			return dst, err
		}
		v, err := view.New(f, read.ID)
		if err != nil {
			return dst, err
		}
		v.Text, v.Form = read.Text, read.Form
		now := s.now()
		switch {
		case c.JSON:
			return v.AppendJSON(dst, now), nil
		case draw:
			return append(dst, v.Box(now, s.color)...), nil
		default:
			return v.AppendLine(dst), nil
		}
	}
	return r.run(c.IDs)
}
