package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/cmd/internal/cli"
	"github.com/stampid/go-stamp/cmd/internal/format"
	"github.com/stampid/go-stamp/cmd/stamp/internal/nodelock"
	"github.com/stampid/go-stamp/cmd/stamp/internal/view"
	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/stamp"
)

// chunk is how many ids are claimed at once. The layout may allow fewer.
const chunk = 8192

type nextCommand struct {
	Count      uint64  `short:"n" default:"1" placeholder:"COUNT" help:"How many ids. Default: 1."`
	JSON       bool    `name:"json" help:"Print an object per line, with the id's text and fields."`
	Node       *uint64 `placeholder:"NUMBER" help:"Node number. Default: the first that no run of yours on this machine uses."`
	Partition  *uint64 `placeholder:"NUMBER" help:"Partition, for a layout with partition bits."`
	SequenceID string  `name:"sequence-id" default:"stamp" placeholder:"NAME" help:"Name of the sequence, for messages. Ids of two names don't repeat each other either."`
	Quiet      bool    `short:"q" help:"Say nothing on standard error but errors."`

	formatFlags
	textFlags
}

// Help is shown below the flags.
func (nextCommand) Help() string {
	return `Prints ids, one a line, in rising order. No id is ever repeated by another run of yours on this
machine with the same layout, epoch and unit, whether both run at once or in turn, after a crash
or with the clock set back: a file per node number in your cache folder sees to that. It doesn't
know of other users, machines and programs: give those node numbers that differ. Ids of two
layouts, epochs or units can be equal: keep to one for ids that go to the same place. It makes no
more ids in a unit of time than the layout has room for, and ends when the clock has passed the
last one.`
}

// Run makes the ids.
func (c *nextCommand) Run(s *streams) error {
	f, err := c.format()
	if err != nil {
		return err
	}
	if err := c.check(f); err != nil {
		return &usageError{err}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return fmt.Errorf("no folder for node locks: %w", err)
	}
	report := func(message string) {
		if !c.Quiet {
			s.report("%s", message)
		}
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	folder := nodelock.Folder{Path: nodelock.In(cache, f), Format: f, Clock: clock.Default(), Report: report}
	lock, err := c.take(ctx, folder)
	if err != nil {
		return because(ctx, err)
	}
	err = because(ctx, c.print(ctx, s, f, lock))
	// The node is released in order also after a signal; a second one kills.
	return errors.Join(err, lock.Close(context.Background()))
}

// check reports flags that don't fit the format.
func (c *nextCommand) check(f format.Format) error {
	_, err := c.config(f, 0, nil)
	errs := []error{err}
	violated := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	switch layout := f.Layout; {
	case c.Count == 0:
		violated("-n 0, want at least 1")
	case c.SequenceID == "":
		violated("--sequence-id is empty")
	case c.Node != nil && layout.Node == 0:
		violated("--node %d, but the layout %v has no node bits", *c.Node, layout)
	case c.Node != nil && *c.Node > layout.MaxNode():
		violated("--node %d is above the layout's largest, %d", *c.Node, layout.MaxNode())
	case c.Partition == nil && layout.Partition > 0:
		violated("no --partition, but the layout %v has partition bits", layout)
	case c.Partition != nil && layout.Partition == 0:
		violated("--partition %d, but the layout %v has no partition bits", *c.Partition, layout)
	case c.Partition != nil && *c.Partition > layout.MaxPartition():
		violated("--partition %d is above the layout's largest, %d", *c.Partition, layout.MaxPartition())
	}
	return errors.Join(errs...)
}

func (c *nextCommand) config(f format.Format, number uint64, k clock.Clock) (*stamp.Config, error) {
	o := stamp.Options{
		Layout: f.Layout, Epoch: f.Timescale.Epoch, Unit: f.Timescale.Unit,
		Codec: encode.Base62, Prefix: c.Prefix,
		AheadPolicy: stamp.Wait, Clock: k,
	}
	if c.Codec != nil {
		o.Codec = encode.Standard(*c.Codec)
	}
	if f.Layout.Node > 0 {
		o.Node = node.Static(number)
	}
	return stamp.NewConfig(o)
}

func (c *nextCommand) take(ctx context.Context, folder nodelock.Folder) (*nodelock.Lock, error) {
	switch {
	case c.Node != nil:
		return folder.Take(ctx, *c.Node)
	case folder.Format.Layout.Node == 0:
		return folder.Take(ctx, 0)
	}
	lock, err := folder.TakeFree(ctx)
	if err == nil {
		folder.Report(fmt.Sprintf("node %d, the first free one; choose with --node", lock.Node()))
	}
	return lock, err
}

// print makes the ids and writes them. Nothing is written before the lock
// covers it.
func (c *nextCommand) print(ctx context.Context, s *streams, f format.Format, lock *nodelock.Lock) error {
	cfg, err := c.config(f, lock.Node(), clock.Default())
	if err != nil {
		return err
	}
	gen, err := c.generator(cfg, f, lock.Floor())
	if err != nil {
		return err
	}
	out := &cli.LineWriter{W: cli.ContextWriter(ctx, s.out)}
	size := min(chunk, f.Layout.IDsPerUnit())
	ids := make([]stamp.ID, 0, size)
	for left := c.Count; left > 0; left -= uint64(len(ids)) {
		var failed error
		ids, failed = gen.Append(ctx, ids[:0], int(min(left, size)))
		if len(ids) > 0 {
			last, err := cfg.Unpack(ids[len(ids)-1])
			if err != nil {
				return err
			}
			if err := lock.Cover(last.Time); err != nil {
				return err
			}
		}
		for _, id := range ids {
			line, err := c.append(out.Next(), cfg, f, id)
			if err != nil {
				return err
			}
			if err := out.Write(line); err != nil {
				return err
			}
		}
		if failed != nil {
			return errors.Join(failed, out.Flush())
		}
	}
	return out.Flush()
}

// generator makes the handle, with its sequence at the floor already, so that a
// clock that is set back at this moment makes no id below it. That costs the
// first id of the floor's unit.
func (c *nextCommand) generator(cfg *stamp.Config, f format.Format, floor uint64) (*stamp.Generator, error) {
	gen, err := stamp.NewGenerator(c.SequenceID, cfg)
	if err == nil && c.Partition != nil {
		gen, err = gen.In(*c.Partition)
	}
	if err == nil && floor > 0 {
		_, err = gen.NextAt(f.Timescale.Time(floor))
	}
	return gen, err
}

// append writes an id as the line that is asked for.
func (c *nextCommand) append(dst []byte, cfg *stamp.Config, f format.Format, id stamp.ID) ([]byte, error) {
	if !c.JSON {
		dst, err := cfg.AppendEncode(dst, id)
		return append(dst, '\n'), err
	}
	v, err := view.New(f, int64(id))
	if err != nil {
		return dst, err
	}
	if v.Text, err = cfg.Encode(id); err != nil {
		return dst, err
	}
	return v.AppendJSON(dst, time.Time{}), nil
}

// because replaces the error of a command that was ended by a signal, and that
// of one whose output nobody reads any more, by what they mean.
func because(ctx context.Context, err error) error {
	if errors.Is(err, cli.ErrClosed) {
		return nil
	}
	return cli.Because(ctx, err)
}
