package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
	"github.com/stampid/go-stamp/sequence/segment"
)

// storeFlags say where the counters are.
type storeFlags struct {
	Store   string        `group:"store" default:"sqlite:ids.db" env:"STAMPD_STORE" placeholder:"URL" help:"Where the counters are. Default: ${default}."`
	Timeout time.Duration `group:"store" default:"10s" placeholder:"DURATION" help:"How long a call to a store may take. Default: ${default}."`
}

// createFlag lets a command make what a store keeps its contents in.
type createFlag struct {
	Create bool `group:"store" help:"Make what stores need and don't have yet: tables, a folder, a file. Use it once; a store that has vanished is a loss. For --store, a file of SQLite is made without it."`
}

// auditFlag says where the marks are.
type auditFlag struct {
	Audit string `group:"store" env:"STAMPD_AUDIT" placeholder:"URL" help:"A second store, for the marks that tell when the first one has lost counts. It must not be restored or fail over together with it."`
}

// within returns a context for one call to a store.
func (f *storeFlags) within(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, f.Timeout, fmt.Errorf("no answer within %v", f.Timeout))
}

func (f *storeFlags) check() error {
	errs := []error{stores.Check(f.Store)}
	if f.Timeout <= 0 {
		errs = append(errs, fmt.Errorf("--timeout %v isn't above 0", f.Timeout))
	}
	return errors.Join(errs...)
}

// open opens the store and sees whether it answers.
func (f *storeFlags) open(ctx context.Context, o stores.Options) (*stores.Store, error) {
	return f.openURL(ctx, f.Store, o)
}

func (f *storeFlags) openURL(ctx context.Context, address string, o stores.Options) (*stores.Store, error) {
	ctx, cancel := f.within(ctx)
	defer cancel()
	s, err := stores.Open(ctx, address, o)
	if err != nil {
		return nil, err
	}
	if err := s.Ready(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// audited is a store with its audit.
type audited struct {
	*stores.Store
	audit segment.Audit // nil: none
	marks *stores.Store
}

// reportNew says what was made.
func (a *audited) reportNew(s *streams) {
	for _, opened := range []*stores.Store{a.Store, a.marks} {
		if opened != nil && opened.New {
			s.report("made %s, a new store", opened.Name)
		}
	}
}

// Close closes both.
func (a *audited) Close() error {
	err := a.Store.Close()
	if a.marks != nil {
		err = errors.Join(err, a.marks.Close())
	}
	return err
}

// openBoth opens the audit, if there is one, by the second options, and then the
// store by the first.
func openBoth(ctx context.Context, f *storeFlags, audit *auditFlag, first, second stores.Options) (*audited, error) {
	var a audited
	var err error
	if audit.Audit != "" {
		if a.marks, err = f.openURL(ctx, audit.Audit, second); err != nil {
			return nil, fmt.Errorf("audit: %w", err)
		}
		a.audit = segment.NewAudit(a.marks.Counters)
	}
	if a.Store, err = f.open(ctx, first); err != nil {
		if a.marks != nil {
			err = errors.Join(err, a.marks.Close())
		}
		return nil, err
	}
	return &a, nil
}

// check refuses an audit that is no second store.
func (f *auditFlag) check(first string) error {
	switch f.Audit {
	case "":
		return nil
	case first:
		return errors.New("--audit is the store itself, and would be rolled back with it")
	}
	if err := stores.Check(f.Audit); err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	return nil
}

// withHint says how to make what is missing.
func withHint(err error) error {
	if errors.Is(err, stores.ErrNotMade) {
		return fmt.Errorf("%w; --create makes it", err)
	}
	return err
}
