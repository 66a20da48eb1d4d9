package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/stampid/go-stamp/cmd/internal/cli"
	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
	"github.com/stampid/go-stamp/cmd/stampd/internal/watching"
	"github.com/stampid/go-stamp/store"
)

type watchCommand struct {
	Targets  []string      `arg:"" name:"target" help:"Addresses of programs, as http://host:port, and names of counters in the store, with group and partition: order, order@20260101, order#3."`
	Interval time.Duration `default:"1s" placeholder:"DURATION" help:"How often each is asked, 100ms or more. Default: ${default}."`
	Once     bool          `help:"Print the figures once, and end. A counter's rate is measured over one interval."`
	JSON     bool          `name:"json" help:"Print an object per line, also on a terminal."`
	Bits     int           `group:"counter" default:"63" placeholder:"NUMBER" help:"Bits that numbers of counters in the store may have: 59, if 4 of 63 are the partition. Default: ${default}."`

	storeFlags
	namespaceFlag
}

// Help is shown below the flags.
func (watchCommand) Help() string {
	return `Shows, for many generators and counters at once, what is left, how fast it is used, when it ends,
and who had to wait. What ends first is at the top.

  stampd watch http://10.0.0.7:8080 http://10.0.0.8:8080
  stampd watch --store postgres://ids@db/ids order invoice
  stampd watch --once --json http://10.0.0.7:8080

An address is that of a program which serves package sequence/segment/watch, under /v1/watch unless
the address has a path, or of a stampd serve, which tells what was reserved through it. A name is a
counter in the store: it is read every interval, which shows the rate of all who use it together.

On a terminal it is a table that fills the screen; q or Ctrl-C ends it, and NO_COLOR is respected.
Otherwise a line for each row and interval. What can't be asked is shown and tried again. With
--once the exit code is 1 if something couldn't be asked, and 3 if a counter went back.`
}

// leastInterval keeps the watch from being a load.
const leastInterval = 100 * time.Millisecond

// Run watches until it is ended.
func (c *watchCommand) Run(s *streams) error {
	if err := c.check(); err != nil {
		return &usageError{err}
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	addresses, names := c.split()
	var opened *stores.Store
	if len(names) > 0 {
		var err error
		if opened, err = c.open(ctx, stores.Options{}); err != nil {
			return cli.Because(ctx, err)
		}
	}
	sources, err := c.sources(addresses, names, opened)
	if err == nil {
		err = c.watch(ctx, s, watching.NewBoard(sources, c.Timeout), len(names) > 0)
	}
	if opened != nil {
		err = errors.Join(err, opened.Close())
	}
	return cli.Because(ctx, err)
}

func (c *watchCommand) check() error {
	errs := []error{c.storeFlags.check()}
	if c.Interval < leastInterval {
		errs = append(errs, fmt.Errorf("--interval %v is below %v", c.Interval, leastInterval))
	}
	if c.Bits < 1 || c.Bits > 63 {
		errs = append(errs, fmt.Errorf("--bits %d, want 1 to 63", c.Bits))
	}
	addresses, names := c.split()
	for _, address := range addresses {
		_, err := watching.NewProgram(address, nil)
		errs = append(errs, err)
	}
	for _, name := range names {
		errs = append(errs, store.Limits{}.CheckKey(c.key(name)))
	}
	return errors.Join(errs...)
}

// split tells addresses and names apart: no name has "://".
func (c *watchCommand) split() (addresses, names []string) {
	for _, target := range c.Targets {
		if strings.Contains(target, "://") {
			addresses = append(addresses, target)
		} else {
			names = append(names, target)
		}
	}
	return addresses, names
}

func (c *watchCommand) sources(addresses, names []string, opened *stores.Store) ([]watching.Source, error) {
	var sources []watching.Source
	client := &http.Client{}
	for _, address := range addresses {
		program, err := watching.NewProgram(address, client)
		if err != nil {
			return nil, err
		}
		sources = append(sources, program)
	}
	end := int64(math.MaxInt64) >> (63 - c.Bits)
	for _, name := range names {
		sources = append(sources, watching.NewCounter(opened.Name, c.key(name), end, opened.Peek))
	}
	return sources, nil
}

// watch shows the board in the way that fits.
func (c *watchCommand) watch(ctx context.Context, s *streams, b *watching.Board, hasCounters bool) error {
	if c.Once {
		b.AskAll(ctx)
		if hasCounters {
			if err := sleep(ctx, c.Interval); err != nil {
				return err
			}
			b.AskAll(ctx)
		}
		rows := b.Rows()
		return errors.Join(c.print(ctx, s, rows), verdict(rows))
	}
	asking, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	if s.terminal != nil && !c.JSON {
		running.Go(func() { b.Run(asking, c.Interval) })
		return live(ctx, s, b, c.Interval)
	}
	b.AskAll(ctx)
	running.Go(func() { b.Run(asking, c.Interval) })
	for {
		if err := c.print(ctx, s, b.Rows()); err != nil {
			if errors.Is(err, cli.ErrClosed) {
				return nil
			}
			return err
		}
		if err := sleep(ctx, c.Interval); err != nil {
			return err
		}
	}
}

func (c *watchCommand) print(ctx context.Context, s *streams, rows []watching.Row) error {
	write := watching.WriteText
	if c.JSON {
		write = watching.WriteJSON
	}
	return write(cli.ContextWriter(ctx, s.out), rows, time.Now())
}

// verdict is the error of a single look.
func verdict(rows []watching.Row) error {
	failed := map[string]bool{}
	var errs []error
	wentBack := false
	for _, row := range rows {
		if row.Err != nil && !failed[row.Source] {
			failed[row.Source] = true
			errs = append(errs, fmt.Errorf("%s: %w", row.Source, row.Err))
		}
		wentBack = wentBack || row.WentBack
	}
	if wentBack {
		errs = append(errs, errLost)
	}
	return errors.Join(errs...)
}

// live draws on the terminal. Keys are read only from a terminal, which is set so
// that it passes them on at once.
func live(ctx context.Context, s *streams, b *watching.Board, every time.Duration) error {
	t := watching.Terminal{Out: s.terminal, Color: s.color, Size: func() (int, int, error) {
		return term.GetSize(int(s.terminal.Fd()))
	}}
	if s.inIsTerminal {
		in := int(os.Stdin.Fd())
		before, err := term.MakeRaw(in)
		if err != nil {
			return fmt.Errorf("the terminal's keys: %w", err)
		}
		defer func() { _ = term.Restore(in, before) }()
		t.Keys = os.Stdin
	}
	return watching.Live(ctx, b, every, t)
}

// sleep waits for d or until ctx ends, whose cause it returns then.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
