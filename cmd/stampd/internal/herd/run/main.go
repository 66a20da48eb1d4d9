// Run measures what many instances ask of a store when they start at once, and
// when it comes back to all of them, and draws it.
//
//	go run ./internal/herd/run -store postgres -o herd.svg
//
// It prints the same as a table in Markdown. It takes two to three minutes.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/stampid/go-stamp/cmd/stampd/internal/herd"
	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
)

func main() {
	servers.RunChild()
	kind := flag.String("store", "postgres", "kind of store, one with a server")
	instances := flag.Int("instances", 200, "that start at once")
	output := flag.String("o", "herd.svg", "file to write")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	redis.SetLogger(silence{}) // it tells of each connection that is refused
	if err := run(ctx, *kind, *instances, *output); err != nil {
		log.Fatal(err) //nolint:gocritic // stop has nothing left to do
	}
}

// silence is a logger for the Redis client.
type silence struct{}

func (silence) Printf(context.Context, string, ...any) {}

func run(ctx context.Context, kind string, instances int, output string) error {
	k, err := servers.Find(kind)
	if err != nil {
		return err
	}
	if instances < 1 || !k.HasServer() {
		return fmt.Errorf("%d instances on %s: want 1 or more, and a store with a server", instances, kind)
	}
	folder, err := os.MkdirTemp("", "herd-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	server, err := servers.Start(ctx, kind, servers.Options{Folder: folder})
	if err != nil {
		return err
	}
	defer func() { _ = server.Close() }()
	var played []herd.Played
	for _, s := range scenes(instances) {
		fmt.Fprintf(os.Stderr, "%s: %s, for %v\n", kind, s.Title, s.Length)
		load, err := herd.Run(ctx, server, s)
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		played = append(played, herd.Played{Scene: s, Load: load})
	}
	return write(kind, instances, output, played)
}

func write(kind string, instances int, output string, played []herd.Played) error {
	var svg bytes.Buffer
	title := fmt.Sprintf("%d instances on %s, each of %d numbers a second, step %d", instances, kind, rate, step)
	if err := herd.Draw(&svg, title, played); err != nil {
		return err
	}
	if err := os.WriteFile(output, svg.Bytes(), 0o644); err != nil { //nolint:gosec // it is a picture for a guide
		return err
	}
	return herd.Table(os.Stdout, played)
}

// What each instance does: it needs a segment every two seconds.
const (
	rate = 25
	step = 50
)

// scenes are all that is played. Each outage lasts until waits have grown to their
// longest.
func scenes(instances int) []herd.Scene {
	scene := func(title string, gone, back, length time.Duration, inStep bool) herd.Scene {
		return herd.Scene{
			Title: title, Instances: instances, Step: step, Rate: rate,
			Gone: gone * time.Second, Back: back * time.Second, Length: length * time.Second, InStep: inStep, Seed: 1,
		}
	}
	return []herd.Scene{
		scene("all start at once", 0, 0, 20, false),
		scene("all start at once, and the store 25 s later", 0, 25, 50, false),
		scene("the same, with waits without jitter", 0, 25, 50, true),
		scene("the store goes away under them for 25 s", 5, 30, 55, false),
	}
}
