package fences

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/stampid/go-stamp/cmd/internal/cli"
	"github.com/stampid/go-stamp/cmd/internal/format"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/store"
)

// Reset are the flags of a reset of one record.
type Reset struct {
	Space
	Node       *uint64   `placeholder:"NUMBER" help:"Node whose record is reset. Needed."`
	To         *timeFlag `placeholder:"TIME" help:"The new bound: RFC 3339, or milliseconds since 1970. Every id of the node has to be of before. Needed."`
	AllStopped bool      `help:"No process that makes ids of the space with that node is running. Needed."`
	Lower      bool      `help:"The bound may go down: no id of that node has a time of the new one or later."`
	Yes        bool      `short:"y" help:"Don't ask."`
}

// ResetHelp is shown below the flags of a reset.
const ResetHelp = `A fence keeps a bound: ids of a node are of before it, and the next process begins there. A clock
that was wrong for a while can have driven it years ahead, and then no id can be made. Reset puts
another bound in its place, after it has shown what is there, and asked.

What must be true before, since nothing can check it, or ids are made twice:

  - No process that makes ids of the space with that node is running. One that is goes on below its
    old bound, and stops at its next renewal. --all-stopped confirms that.
  - No id of the node is of the new bound or later. Look at the largest id in your tables, take its
    time, and add as much as processes may have made and not stored. If ids of the wrong time are
    stored, give the node up, and take another number, rather than lower the bound: --lower confirms
    that there are none.

To raise a bound takes no more than that all are stopped. A record that changed since it was shown
stays as it is.`

// Check reports what is wrong with the flags.
func (r *Reset) Check(canAsk bool) error {
	var errs []error
	violated := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	f, err := r.format()
	if err == nil && r.Node != nil && *r.Node > f.Layout.MaxNode() {
		violated("node %d, and layout %v has 0 to %d", *r.Node, f.Layout, f.Layout.MaxNode())
	}
	if err == nil && r.To != nil {
		_, boundErr := bound(f, time.Time(*r.To))
		errs = append(errs, boundErr)
	}
	if r.Node == nil {
		violated("no --node: which record?")
	}
	if r.To == nil {
		violated("no --to: which bound?")
	}
	if !r.AllStopped {
		violated("every process that makes ids of the space with that node must be stopped, which --all-stopped confirms")
	}
	if !r.Yes && !canAsk {
		violated("standard input is no terminal to ask on: confirm with --yes")
	}
	return errors.Join(append(errs, checkSpace(r.Space.Space), err)...)
}

// bound is the first unit that begins at a time or later.
func bound(f format.Format, to time.Time) (uint64, error) {
	units := f.Timescale.UnitsCeil(to)
	if units < 0 || uint64(units) > f.Layout.MaxTime()+1 {
		return 0, fmt.Errorf("--to %s, want %s to %s, which is what the layout can express",
			to.Format(time.RFC3339Nano), f.Stamp(f.Timescale.Epoch), f.Stamp(f.Timescale.End(f.Layout)))
	}
	return uint64(units), nil
}

// ErrLowers says that a bound would go down, and nobody has said that it may.
var ErrLowers = errors.New("it would lower the bound, and repeat ids if there are any between: --lower confirms that there are none")

// ErrNoRecord says that there is nothing to reset.
var ErrNoRecord = errors.New("there is no record, and so nothing to reset")

// Run shows the record, asks and resets it. Each call to the store has as long as
// within gives it.
func (r *Reset) Run(ctx context.Context, records store.Records, in io.Reader, out io.Writer, within func(context.Context) (context.Context, context.CancelFunc)) error {
	f, err := r.format()
	if err != nil {
		return err
	}
	to, err := bound(f, time.Time(*r.To))
	if err != nil {
		return err
	}
	key := fence.Key(r.Space.Space, fence.Format(f.Layout, f.Timescale), *r.Node)
	call, cancel := within(ctx)
	shown, err := records.Get(call, key)
	cancel()
	if err != nil {
		return err
	}
	if len(shown) == 0 {
		return fmt.Errorf("node %d of space %q with ids of %s: %w", *r.Node, r.Space.Space, fence.Format(f.Layout, f.Timescale), ErrNoRecord)
	}
	lowers, err := r.describe(out, f, shown, to)
	if err != nil {
		return err
	}
	if lowers && !r.Lower {
		return ErrLowers
	}
	if !r.Yes {
		if err := cli.Confirm(ctx, in, out, "Reset? [y/N] "); err != nil {
			return err
		}
	}
	call, cancel = within(ctx)
	defer cancel()
	if _, err := fence.Reset(call, records, r.Space.Space, f.Layout, f.Timescale, *r.Node, shown, to); err != nil {
		if errors.Is(err, store.ErrConflict) {
			err = fmt.Errorf("the record has changed since it was shown, so somebody uses it: %w", err)
		}
		return err
	}
	_, err = fmt.Fprintf(out, "node %d: bound is %s\n", *r.Node, f.Stamp(f.Timescale.Time(to)))
	return err
}

// describe writes what there is and what would be, and tells whether the bound would
// go down, or may since it is unknown.
func (r *Reset) describe(out io.Writer, f format.Format, shown []byte, to uint64) (lowers bool, err error) {
	now := time.Now()
	next := f.Timescale.Time(to)
	var t cli.Table
	t.Add("", "state", "owner", "bound", "to the clock")
	found, unreadable := fence.Decode(shown)
	if unreadable != nil {
		t.Add("now", "UNREADABLE", none, none, none)
	} else {
		state := "free"
		if found.Held {
			state = "held"
		}
		stands := f.Timescale.Time(found.Bound)
		t.Add("now", state, found.Owner, f.Stamp(stands), offset(stands.Sub(now)))
	}
	t.Add("then", "free", fence.ResetOwner, f.Stamp(next), offset(next.Sub(now)))
	if err := t.Write(out); err != nil {
		return false, err
	}
	return unreadable != nil || to < found.Bound, nil
}
