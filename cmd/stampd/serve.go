package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"time"

	"github.com/stampid/go-stamp/cmd/internal/cli"
	"github.com/stampid/go-stamp/cmd/stampd/internal/server"
	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
)

type serveCommand struct {
	Listen  string        `default:"127.0.0.1:8080" placeholder:"ADDRESS" help:"Host and port to listen on; port 0 is any free one. Default: ${default}."`
	Grace   time.Duration `default:"15s" placeholder:"DURATION" help:"How long requests may go on after SIGINT or SIGTERM. Default: ${default}."`
	Log     logFlag       `default:"text" placeholder:"FORM" help:"Form of the log, on standard error: text or json. Default: ${default}."`
	Verbose bool          `short:"v" help:"Log each request."`

	storeFlags
	createFlag
}

// Help is shown below the flags.
func (serveCommand) Help() string {
	return `Serves a store by the paths of CosId's proxy, for stampd, package proxystore and Java programs:

  stampd serve --store postgres://ids@db/ids --create
  curl -X POST  'http://127.0.0.1:8080/segments/distributor/default/order?offset=0&step=100'
  curl -X PATCH 'http://127.0.0.1:8080/segments/default/order?step=100'
  stampd next --store http://127.0.0.1:8080 -n 5 order

GET /healthz tells whether it serves, GET /readyz whether the store answers.

It asks nobody for credentials: who reaches the address can take numbers and raise counters.
Listen on loopback, or where only your own programs come.

SIGINT or SIGTERM stop it: it takes no new requests and answers those it has. A second one kills
it.`
}

// Run serves until a signal.
func (c *serveCommand) Run(s *streams) error {
	if err := c.check(); err != nil {
		return &usageError{err}
	}
	ctx, stop := cli.Interruptible()
	defer stop()
	opened, err := c.open(ctx, stores.Options{Create: c.Create, CreateFile: true})
	if err != nil {
		return cli.Because(ctx, withHint(err))
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return errors.Join(err, opened.Close())
	}
	log := c.Log.logger(s.err, c.Verbose)
	log.Info("opened", "store", opened.Name, "new", opened.New, "records", opened.Records != nil)
	if !isLoopback(l.Addr()) {
		log.Warn("listening beyond loopback without credentials: who reaches the address can take numbers and raise counters")
	}
	err = server.Run(ctx, l, opened.Counters, server.Options{Timeout: c.Timeout, Grace: c.Grace, Ready: opened.Ready, Log: log})
	return errors.Join(err, opened.Close())
}

func (c *serveCommand) check() error {
	errs := []error{c.storeFlags.check()}
	if c.Grace <= 0 {
		errs = append(errs, fmt.Errorf("--grace %v isn't above 0", c.Grace))
	}
	if _, _, err := net.SplitHostPort(c.Listen); err != nil {
		errs = append(errs, fmt.Errorf("--listen: %w", err))
	}
	return errors.Join(errs...)
}

func isLoopback(address net.Addr) bool {
	tcp, ok := address.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

type logFlag string

// UnmarshalText reads the name of a form.
func (f *logFlag) UnmarshalText(text []byte) error {
	if *f = logFlag(text); *f != "text" && *f != "json" {
		return fmt.Errorf("no log %q; there are text, json", text)
	}
	return nil
}

func (f logFlag) logger(w io.Writer, verbose bool) *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if verbose {
		o.Level = slog.LevelDebug
	}
	if f == "json" {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}
