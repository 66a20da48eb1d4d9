// Run looks for duplicates on one kind of store after the other, as package chaos
// does it, and says what it found.
//
//	go run ./internal/chaos/run -for 10m -ids 2000000 -stores postgres,redis
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
	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
)

func main() {
	chaos.RunChild()
	length := flag.Duration("for", 10*time.Minute, "how long, all stores together")
	numbers := flag.Int64("ids", 2_000_000, "how many ids of each store")
	kinds := flag.String("stores", strings.Join(servers.Names(), ","), "kinds of store")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the faults")
	workers := flag.Int("processes", 4, "that make ids")
	goroutines := flag.Int("goroutines", 2, "of each process")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, strings.Split(*kinds, ","), *length, chaos.Config{
		Seed: *seed, Numbers: *numbers, Workers: *workers, Goroutines: *goroutines,
		Log: func(format string, args ...any) { fmt.Printf(format+"\n", args...) },
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:gocritic // stop has nothing left to do
	}
}

func run(ctx context.Context, kinds []string, length time.Duration, c chaos.Config) error {
	if c.Workers < 1 || c.Goroutines < 1 || c.Numbers < 1 || length <= 0 {
		return errors.New("ids, processes, goroutines and time must be 1 or more")
	}
	folder, err := os.MkdirTemp("", "chaos-")
	if err != nil {
		return err
	}
	c.Length = length / time.Duration(len(kinds))
	fmt.Printf("seed %d, %v for each store\n", c.Seed, c.Length.Round(time.Second))
	var errs []error
	var summary []string
	for _, kind := range kinds {
		c.Kind, c.Folder = kind, filepath.Join(folder, kind)
		if err := os.Mkdir(c.Folder, 0o755); err != nil { //nolint:gosec // a server may run as another user
			return err
		}
		r, err := chaos.Run(ctx, c)
		switch {
		case errors.Is(err, servers.ErrMissing):
			summary = append(summary, "skipped "+err.Error())
			continue
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", kind, err))
		default:
			errs = append(errs, r.Err())
			summary = append(summary, r.String())
		}
		if ctx.Err() != nil {
			errs = append(errs, ctx.Err())
			break
		}
	}
	fmt.Println(strings.Join(summary, "\n"))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%w\nseed %d; files are in %s", err, c.Seed, folder)
	}
	return os.RemoveAll(folder)
}
