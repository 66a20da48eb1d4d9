package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/stampid/go-stamp/cmd/internal/cli"
	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

type nextCommand struct {
	Name  string `arg:"" help:"Name of the counter. One that isn't there yet is made."`
	Count int64  `short:"n" default:"1" placeholder:"COUNT" help:"How many numbers. Default: 1."`
	Quiet bool   `short:"q" help:"Say nothing on standard error but errors."`

	storeFlags
	createFlag
	auditFlag
	counterFlags
	textFlags
}

// Help is shown below the flags.
func (nextCommand) Help() string {
	return `Prints numbers, one a line, in rising order. Each is reserved in the store first, so that no
other process gets it. What was reserved and isn't printed is dropped.

  stampd next -n 5 order
  stampd next --store postgres://ids@db/ids --create order
  stampd next --group day --zone Asia/Shanghai --prefix BIZ- --pad 8 order
  stampd next --audit redis://audit:6379/0 -n 100000 order

With --audit, the largest number reserved is noted there before one of them is printed, and next
refuses to go on from a store that stands below it. All instances have to use the same audit for
that; one in a folder (file:) protects the processes of one machine only.`
}

// Run prints the numbers.
func (c *nextCommand) Run(s *streams) error {
	o, format, err := c.prepare()
	if err != nil {
		return &usageError{err}
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	// An audit isn't made unasked: a mistyped one would know nothing.
	both, err := openBoth(ctx, &c.storeFlags, &c.auditFlag,
		stores.Options{Create: c.Create, CreateFile: true}, stores.Options{Create: c.Create})
	if err != nil {
		return cli.Because(ctx, withHint(err))
	}
	if !c.Quiet {
		both.reportNew(s)
	}
	o.Audit = both.audit
	err = c.print(ctx, s, both, o, format)
	return errors.Join(err, both.Close())
}

// prepare reports what is wrong with the flags, without asking a store.
func (c *nextCommand) prepare() (segment.Options, *encode.Format, error) {
	var errs []error
	if c.Count < 1 {
		errs = append(errs, fmt.Errorf("-n %d, want at least 1", c.Count))
	}
	o, err := c.options(max(c.Count, 1))
	o.FetchTimeout = c.Timeout
	errs = append(errs, err, c.storeFlags.check(), c.auditFlag.check(c.Store))
	format, err := c.format(o.Group.Period != segment.NoPeriod)
	errs = append(errs, err)
	if err := errors.Join(errs...); err != nil {
		return o, nil, err
	}
	return o, format, c.try(o, format)
}

// try takes a number from a store that is nowhere, to find out whether what will
// be reserved has a text, group included.
func (c *nextCommand) try(o segment.Options, format *encode.Format) error {
	generator, err := c.generator(store.NewMemory(), c.Name, o)
	if err != nil {
		return err
	}
	first, err := generator.Take(context.Background(), 1)
	if err == nil {
		_, err = c.append(nil, format, first.First, first.Group)
	}
	_ = generator.Close() // always nil
	return err
}

// print takes the numbers and writes them, and says what is lost of them.
func (c *nextCommand) print(ctx context.Context, s *streams, both *audited, o segment.Options, format *encode.Format) error {
	reserved := &tally{Counters: both.Counters}
	generator, err := c.generator(reserved, c.Name, o)
	if err != nil {
		return err
	}
	out := &cli.LineWriter{W: cli.ContextWriter(ctx, s.out)}
	err = c.write(ctx, out, generator, format)
	if flushed := out.Flush(); err == nil {
		err = flushed
	}
	_ = generator.Close() // always nil
	if !c.Quiet {
		reserved.report(s, out)
	}
	if errors.Is(err, cli.ErrClosed) {
		return nil
	}
	if errors.Is(err, segment.ErrRolledBack) {
		return fmt.Errorf("%w; stop what uses it, and see stampd recover --help", err)
	}
	return cli.Because(ctx, err)
}

// chunk is how many numbers are claimed at once.
const chunk = 8192

// write takes the numbers and writes them. Each was reserved before.
func (c *nextCommand) write(ctx context.Context, out *cli.LineWriter, generator *segment.Generator, format *encode.Format) error {
	for left := c.Count; left > 0; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		run, err := generator.Take(ctx, int(min(left, chunk)))
		if err != nil {
			return err
		}
		for i := range run.Len() {
			line, err := c.append(out.Next(), format, run.First+int64(i), run.Group)
			if err != nil {
				return err
			}
			if err := out.Write(line); err != nil {
				return err
			}
		}
		left -= int64(run.Len())
	}
	return nil
}
