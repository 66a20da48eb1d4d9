package main

import (
	"context"
	"errors"
	"time"

	"github.com/stampid/go-stamp/cmd/internal/cli"
	"github.com/stampid/go-stamp/cmd/internal/fences"
	"github.com/stampid/go-stamp/store/filestore"
)

type fenceCommand struct {
	Show  fenceShowCommand  `cmd:"" help:"Show how far ids of nodes may go."`
	Reset fenceResetCommand `cmd:"" help:"Give a node another bound."`
}

// folderFlag is where the records are. Those in other stores are stampd's.
type folderFlag struct {
	Folder string `placeholder:"FOLDER" help:"Folder of the fence: that of fence.File, or of the lease. Needed."`
}

func (f *folderFlag) check() error {
	if f.Folder == "" {
		return errors.New("no --folder: where are the records?")
	}
	return nil
}

// callTimeout is how long one call may wait for the lock of the folder.
const callTimeout = 10 * time.Second

func within(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, callTimeout)
}

type fenceShowCommand struct {
	fences.Space
	fences.Range
	folderFlag
	JSON bool `name:"json" help:"Print an object per line."`
}

// Help is shown below the flags.
func (fenceShowCommand) Help() string {
	return `Shows the records of fences in a folder: who has a node, the bound that all of its ids are of
before, how far that is ahead of the clock, and the floor where the owner began. Nothing is changed.

    stamp fence show orders --folder /var/lib/orders
    stamp fence show orders --folder /var/lib/orders --layout 0/41/7/15 --node 3

Records belong to one format of ids, so layout, epoch and unit have to be theirs. The exit code is
1 if a record can't be read. Those of other stores are shown by stampd fence show.`
}

// Run prints a line for each record.
func (c *fenceShowCommand) Run(s *streams) error {
	if err := errors.Join(c.check(), fences.Check(&c.Space, &c.Range)); err != nil {
		return &usageError{err}
	}
	records, err := filestore.New(c.Folder)
	if err != nil {
		return err
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	entries, err := fences.List(ctx, records, &c.Space, &c.Range)
	shown := fences.Show(s.out, &c.Space, entries, s.now(), c.JSON)
	if cli.IsClosedPipe(shown) {
		shown = nil
	}
	if err == nil && len(entries) == 0 {
		s.report("%s has no records of space %s with ids of that format", c.Folder, c.Space.Space)
	}
	return cli.Because(ctx, errors.Join(err, shown, fences.Unreadable(entries)))
}

type fenceResetCommand struct {
	fences.Reset
	folderFlag
}

// Help is shown below the flags.
func (fenceResetCommand) Help() string {
	return fences.ResetHelp + `

    stamp fence reset orders --folder /var/lib/orders --node 3 --to 2026-08-01T12:00:00Z --all-stopped`
}

// Run shows, asks and resets.
func (c *fenceResetCommand) Run(s *streams) error {
	if err := errors.Join(c.check(), c.Check(s.inIsTerminal)); err != nil {
		return &usageError{err}
	}
	records, err := filestore.New(c.Folder)
	if err != nil {
		return err
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	return cli.Because(ctx, c.Reset.Run(ctx, records, s.in, s.out, within))
}
