package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/stampid/go-stamp/cmd/internal/cli"
	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
	"github.com/stampid/go-stamp/store"
)

type statusCommand struct {
	Names []string `arg:"" help:"Names of counters, with group and partition: order, order@20260101, order#3."`
	JSON  bool     `name:"json" help:"Print an object per line."`

	storeFlags
	auditFlag
	namespaceFlag
}

// Help is shown below the flags.
func (statusCommand) Help() string {
	return `Shows where counters stand, and with --audit also their marks: the largest number that was ever
reserved. A counter below its mark has lost counts, and would repeat numbers: stop what uses it,
and see stampd recover --help. The exit code is then 3.

  stampd status order invoice
  stampd status --store redis://cache:6379/0 --audit postgres://ids@db/ids order@20260101

Stores have no lists of their counters, so they are named here. Nothing is changed or made.`
}

// Run prints a line for each counter.
func (c *statusCommand) Run(s *streams) error {
	if err := errors.Join(c.storeFlags.check(), c.auditFlag.check(c.Store)); err != nil {
		return &usageError{err}
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	both, err := openBoth(ctx, &c.storeFlags, &c.auditFlag, stores.Options{}, stores.Options{})
	if err != nil {
		return cli.Because(ctx, err)
	}
	err = c.print(ctx, s, both)
	return cli.Because(ctx, errors.Join(err, both.Close()))
}

// print shows what is known also when something isn't.
func (c *statusCommand) print(ctx context.Context, s *streams, both *audited) error {
	var errs []error
	var found []standing
	lost := false
	for _, name := range c.Names {
		at, err := c.look(ctx, both, c.key(name))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		lost = lost || at.lost()
		found = append(found, at)
	}
	var err error
	if c.JSON {
		err = writeStandings(s.out, found)
	} else if len(found) > 0 {
		err = standingTable(found, both.audit != nil).Write(s.out)
	}
	if cli.IsClosedPipe(err) {
		err = nil
	}
	if errs = append(errs, err); lost {
		errs = append(errs, errLost)
	}
	return errors.Join(errs...)
}

// look reads the mark first: while the counter is in use, it stands at or above
// every mark that was there before.
func (c *statusCommand) look(ctx context.Context, both *audited, key store.Key) (standing, error) {
	ctx, cancel := c.within(ctx)
	defer cancel()
	at := standing{Counter: key, audited: both.audit != nil}
	var err error
	if at.audited {
		if at.Mark, err = both.audit.Mark(ctx, key); err != nil {
			return at, fmt.Errorf("the audit mark of %q: %w", key, err)
		}
	}
	at.MaxID, err = both.Peek(ctx, key)
	at.Missing = errors.Is(err, store.ErrNoCounter)
	if err != nil && !at.Missing {
		return at, fmt.Errorf("counter %q: %w", key, err)
	}
	return at, nil
}

// standing is where a counter stands.
type standing struct {
	Counter store.Key
	MaxID   int64
	Missing bool
	Mark    int64 // 0: none
	audited bool
}

// lost says that the store gives numbers out again. A mark belongs to a number
// that was reserved, so without one a missing counter is one that never was.
func (at standing) lost() bool { return at.Mark > 0 && (at.Missing || at.MaxID < at.Mark) }

func (at standing) state() string {
	switch {
	case at.lost() && at.Missing:
		return "LOST"
	case at.lost():
		return fmt.Sprintf("LOST %d", at.Mark-at.MaxID)
	case at.Missing:
		return "not there"
	case !at.audited:
		return ""
	case at.Mark == 0:
		return "no mark yet"
	}
	return "ok"
}

// MarshalJSON writes numbers as strings, which JavaScript doesn't round.
func (at standing) MarshalJSON() ([]byte, error) {
	form := struct {
		Counter string  `json:"counter"`
		MaxID   *string `json:"max_id"` // null: missing
		Mark    *string `json:"mark,omitempty"`
		Lost    *bool   `json:"lost,omitempty"` // with an audit
	}{Counter: at.Counter.String()}
	if !at.Missing {
		form.MaxID = decimal(at.MaxID)
	}
	if at.Mark > 0 {
		form.Mark = decimal(at.Mark)
	}
	if at.audited {
		lost := at.lost()
		form.Lost = &lost
	}
	return json.Marshal(form)
}

func decimal(n int64) *string {
	text := strconv.FormatInt(n, 10)
	return &text
}
