// Run looks for duplicates, first of numbers from a counter and then of
// clock-driven ids under a fence, on one kind of store after the other, as packages
// chaos and clockchaos do it, and says what it found.
//
//	go run ./internal/chaos/run -for 10m -sources clock -stores postgres,redis
//
// It prints the seed and all faults with their times; -seed repeats them. It ends
// with 1 if anything was wrong, and then keeps the folder with all logs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/stampid/go-stamp/cmd/stampd/internal/chaos"
	"github.com/stampid/go-stamp/cmd/stampd/internal/clockchaos"
	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
)

// options are the command line.
type options struct {
	sources, stores []string
	length          time.Duration
	ids             int64 // 0: that of the source
	kills           int
	seed            uint64
	workers         int
	goroutines      int
}

func main() {
	chaos.RunChild()
	clockchaos.RunChild()
	var o options
	sources := flag.String("sources", "counter,clock", "of ids: numbers of a counter, the clock under a fence")
	stores := flag.String("stores", strings.Join(servers.Names(), ","), "kinds of store")
	flag.DurationVar(&o.length, "for", 10*time.Minute, "how long for each source, all stores together")
	flag.Int64Var(&o.ids, "ids", 0, "how many ids of each source and store; 0: 2 million of a counter, 2 million of the clock")
	flag.IntVar(&o.kills, "kills", 0, "how many processes shall be killed at least, for each source")
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()), "of the faults")
	flag.IntVar(&o.workers, "processes", 4, "that take numbers of a counter")
	flag.IntVar(&o.goroutines, "goroutines", 2, "of each process")
	flag.Parse()
	o.sources, o.stores = strings.Split(*sources, ","), strings.Split(*stores, ",")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:gocritic // stop has nothing left to do
	}
}

func (o options) run(ctx context.Context) error {
	if o.workers < 1 || o.goroutines < 1 || o.ids < 0 || o.length <= 0 {
		return errors.New("processes, goroutines and time must be 1 or more, ids 0 or more")
	}
	folder, err := os.MkdirTemp("", "chaos-")
	if err != nil {
		return err
	}
	fmt.Printf("seed %d, %v for each store\n", o.seed, o.each().Round(time.Second))
	var errs []error
	for _, name := range o.sources {
		s, err := o.source(name)
		if err != nil {
			return err
		}
		errs = append(errs, o.runSource(ctx, s, filepath.Join(folder, name)))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%w\nseed %d; files are in %s", err, o.seed, folder)
	}
	return os.RemoveAll(folder)
}

// each is how long a store's turn is.
func (o options) each() time.Duration { return o.length / time.Duration(len(o.stores)) }

// runSource runs one source on all stores, and prints what came of it.
func (o options) runSource(ctx context.Context, s source, folder string) error {
	var errs []error
	var summary []string
	var sum total
	begun := time.Now()
	for _, kind := range o.stores {
		place := filepath.Join(folder, kind)
		if err := os.MkdirAll(place, 0o755); err != nil { //nolint:gosec // a server may run as another user
			return err
		}
		r, err := s.run(ctx, kind, place)
		switch {
		case errors.Is(err, servers.ErrMissing):
			summary = append(summary, "skipped "+err.Error())
			continue
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", kind, err))
		default:
			errs = append(errs, r.Err())
			summary = append(summary, r.String())
			sum.add(s.total(r))
		}
		if ctx.Err() != nil {
			errs = append(errs, ctx.Err())
			break
		}
	}
	fmt.Println(strings.Join(summary, "\n"))
	fmt.Printf("%s: %.1f minutes of chaos, %d ids, %d kills: %d duplicates\n\n",
		s.name, time.Since(begun).Minutes(), sum.ids, sum.kills, sum.duplicates)
	if sum.kills < o.kills {
		errs = append(errs, fmt.Errorf("%s: %d processes were killed, want %d", s.name, sum.kills, o.kills))
	}
	return errors.Join(errs...)
}
