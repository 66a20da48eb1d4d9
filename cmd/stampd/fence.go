package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/stampid/go-stamp/cmd/internal/cli"
	"github.com/stampid/go-stamp/cmd/internal/fences"
	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
	"github.com/stampid/go-stamp/node/lease"
)

type fenceCommand struct {
	Show  fenceShowCommand  `cmd:"" help:"Show how far ids of nodes may go."`
	Reset fenceResetCommand `cmd:"" help:"Give a node another bound."`
}

type fenceShowCommand struct {
	fences.Space
	fences.Range
	JSON bool `name:"json" help:"Print an object per line."`

	storeFlags
}

// Help is shown below the flags.
func (fenceShowCommand) Help() string {
	return `Shows the records of fences: who has a node, the bound that all of its ids are of before, how far
that is ahead of this machine's clock, and the floor where the owner began. Nothing is changed.

  stampd fence show orders-prod --store redis://cache:6379/0
  stampd fence show orders-prod --layout 0/41/7/15 --node 3

Records belong to one format of ids, so layout, epoch and unit have to be theirs. The exit code is
1 if a record can't be read.`
}

// Run prints a line for each record.
func (c *fenceShowCommand) Run(s *streams) error {
	return showRecords(s, &c.storeFlags, &c.Space, &c.Range, func(entries []lease.Entry) error {
		return fences.Show(s.out, &c.Space, entries, time.Now(), c.JSON)
	})
}

type fenceResetCommand struct {
	fences.Reset

	storeFlags
}

// Help is shown below the flags.
func (fenceResetCommand) Help() string {
	return fences.ResetHelp + `

  stampd fence reset orders-prod --node 3 --to 2026-08-01T12:00:00Z --all-stopped`
}

// Run shows, asks and resets.
func (c *fenceResetCommand) Run(s *streams) error {
	if err := errors.Join(c.check(), c.Check(s.inIsTerminal)); err != nil {
		return &usageError{err}
	}
	return withRecords(&c.storeFlags, func(ctx context.Context, opened *stores.Store) error {
		return c.Reset.Run(ctx, opened.Records, s.in, s.out, c.within)
	})
}

// showRecords reads the records of nodes and shows them, also when something could
// not be read.
func showRecords(s *streams, f *storeFlags, space *fences.Space, nodes *fences.Range, show func([]lease.Entry) error) error {
	if err := errors.Join(f.check(), fences.Check(space, nodes)); err != nil {
		return &usageError{err}
	}
	return withRecords(f, func(ctx context.Context, opened *stores.Store) error {
		entries, err := fences.List(ctx, oneByOne{opened.Records, f}.records(), space, nodes)
		shown := show(entries)
		if cli.IsClosedPipe(shown) {
			shown = nil
		}
		if err == nil && len(entries) == 0 {
			s.report("%s has no records of space %s with ids of that format", opened.Name, space.Space)
		}
		return errors.Join(err, shown, fences.Unreadable(entries))
	})
}

// withRecords opens a store that has records, until a signal.
func withRecords(f *storeFlags, use func(context.Context, *stores.Store) error) error {
	ctx, stop := cli.Interruptible()
	defer stop()
	opened, err := f.open(ctx, stores.Options{})
	if err != nil {
		return cli.Because(ctx, err)
	}
	if opened.Records == nil {
		err = fmt.Errorf("store %s: it keeps no records: %w", opened.Name, errors.ErrUnsupported)
	} else {
		err = use(ctx, opened)
	}
	return cli.Because(ctx, errors.Join(err, opened.Close()))
}
