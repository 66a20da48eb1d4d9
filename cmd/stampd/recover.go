package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/stampid/go-stamp/cmd/internal/cli"
	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
	"github.com/stampid/go-stamp/sequence/segment"
)

type recoverCommand struct {
	Names            []string `arg:"" help:"Names of counters, with group and partition: order, order@20260101, order#3."`
	Instances        int64    `placeholder:"COUNT" help:"How many processes were running when the store went back. Needed with --audit."`
	Step             int64    `placeholder:"NUMBER" default:"10" help:"The largest step of any of them. Default: ${default}."`
	PrefetchDistance int64    `placeholder:"SEGMENTS" default:"10000" help:"The largest prefetch distance of any of them. Default: ${default}, the library's bound."`
	Start            int64    `placeholder:"NUMBER" help:"Raise to that, at least. Needed without a mark: above every number that was ever reserved."`
	AllStopped       bool     `help:"No process that uses the counters is running. Needed without a mark."`
	Create           bool     `help:"Make the store's tables, folder or file, if they are lost as well."`
	Yes              bool     `short:"y" help:"Don't ask."`

	storeFlags
	auditFlag
	namespaceFlag
}

// Help is shown below the flags.
func (recoverCommand) Help() string {
	return `Raises counters whose store has lost counts: one that was restored from a backup, or failed over
to a replica that lagged. It shows the plan, and asks. It never lowers a counter, and can be
repeated.

  stampd recover --audit redis://audit:6379/0 --instances 3 --step 1000 order
  stampd recover --start 2000000 --all-stopped order

With --audit, a counter is raised to its mark and instances × prefetch distance × step above it,
since each instance may hold a range that it hasn't noted yet. A counter that is missing is made.

Without a mark nobody knows how far the counter was. Stop all that uses it, choose a start, and
be generous: the largest id in your tables is no proof, since a process may hold higher numbers
that it hasn't used yet.`
}

// Run plans, asks and raises.
func (c *recoverCommand) Run(s *streams) error {
	if err := c.check(s); err != nil {
		return &usageError{err}
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	both, err := openBoth(ctx, &c.storeFlags, &c.auditFlag, stores.Options{Create: c.Create}, stores.Options{})
	if err != nil {
		return cli.Because(ctx, withHint(err))
	}
	err = c.recover(ctx, s, both)
	return cli.Because(ctx, errors.Join(err, both.Close()))
}

// check reports what is wrong with the flags.
func (c *recoverCommand) check(s *streams) error {
	errs := []error{c.storeFlags.check(), c.auditFlag.check(c.Store)}
	violated := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	for _, f := range []struct {
		flag         string
		value, least int64
	}{
		{"--instances", c.Instances, 0},
		{"--step", c.Step, 1},
		{"--prefetch-distance", c.PrefetchDistance, 1},
		{"--start", c.Start, 0},
	} {
		if f.value < f.least {
			violated("%s %d is below %d", f.flag, f.value, f.least)
		}
	}
	switch {
	case c.Audit != "" && c.Instances == 0:
		violated("no --instances: how many processes were running when the store went back?")
	case c.Audit == "" && c.Start == 0:
		violated("neither --audit nor --start: nothing says how far the counter was")
	}
	if c.Audit == "" && !c.AllStopped {
		violated("no --audit, and so no mark: all that uses the counter must be stopped, which --all-stopped confirms")
	}
	if !c.Yes && !s.inIsTerminal {
		violated("standard input is no terminal to ask on: confirm with --yes")
	}
	return errors.Join(errs...)
}

// recover raises all counters or, if one of them can't be, none.
func (c *recoverCommand) recover(ctx context.Context, s *streams, both *audited) error {
	plans, err := c.plan(ctx, both)
	if err != nil {
		return err
	}
	if err := planTable(plans).Write(s.out); err != nil {
		return err
	}
	for _, p := range plans {
		if p.Mark > 0 && !p.Missing && p.Store >= p.Mark {
			s.report("%s isn't below its mark: nothing shows that it lost counts", p.Counter)
		}
	}
	if !c.Yes {
		if err := cli.Confirm(ctx, s.in, s.out, fmt.Sprintf("Raise in %s? [y/N] ", both.Name)); err != nil {
			return err
		}
	}
	for _, p := range plans {
		if err := c.apply(ctx, s, both, p); err != nil {
			return err
		}
	}
	return nil
}

func (c *recoverCommand) plan(ctx context.Context, both *audited) ([]segment.Recovery, error) {
	var plans []segment.Recovery
	var errs []error
	for _, name := range c.Names {
		ctx, cancel := c.within(ctx)
		p, err := segment.PlanRecovery(ctx, both.Counters, c.key(name), segment.RecoverOptions{
			Instances: max(c.Instances, 1), Step: c.Step, PrefetchDistance: c.PrefetchDistance,
			Audit: both.audit, Start: c.Start, AllStopped: c.AllStopped,
		})
		cancel()
		if errors.Is(err, segment.ErrRecovery) && both.audit != nil {
			err = fmt.Errorf("%w; without a mark it takes --start and --all-stopped", err)
		}
		errs = append(errs, err)
		plans = append(plans, p)
	}
	return plans, errors.Join(errs...)
}

func (c *recoverCommand) apply(ctx context.Context, s *streams, both *audited, p segment.Recovery) error {
	ctx, cancel := c.within(ctx)
	defer cancel()
	at, err := p.Apply(ctx, both.Counters)
	if err != nil {
		return fmt.Errorf("%w; recover can be repeated", err)
	}
	_, err = fmt.Fprintf(s.out, "%s stands at %d\n", cli.Printable(p.Counter.String()), at)
	return err
}

// planTable shows what would be done. A counter that is above already stays.
func planTable(plans []segment.Recovery) *cli.Table {
	var t cli.Table
	t.Add("counter", "stands at", "audit mark", "gap", "raise to", "")
	for _, p := range plans {
		cells := []string{p.Counter.String(), none, none, none, strconv.FormatInt(p.To, 10), ""}
		if !p.Missing {
			cells[1] = strconv.FormatInt(p.Store, 10)
		}
		if p.Mark > 0 {
			cells[2], cells[3] = strconv.FormatInt(p.Mark, 10), strconv.FormatInt(p.Gap, 10)
		}
		switch {
		case p.Missing:
			cells[5] = "to be made"
		case p.Store >= p.To:
			cells[5] = "stays where it is"
		}
		t.Add(cells...)
	}
	return &t
}
