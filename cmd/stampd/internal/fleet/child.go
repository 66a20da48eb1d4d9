package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
)

// RunChild does the task of a worker, and doesn't return, if a fleet of that
// variable started this process. Else it returns at once.
//
// The context that work is given ends with the standard input. Out is where it
// writes its progress.
func RunChild[T any](variable string, work func(ctx context.Context, task T, out io.Writer) error) {
	text := os.Getenv(variable)
	if text == "" {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	var task T
	err := json.Unmarshal([]byte(text), &task)
	if err == nil {
		err = work(ctx, task, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Tell writes what progress returns, several times a second until ctx ends, and
// once more then.
func Tell(ctx context.Context, out io.Writer, progress func() any) error {
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return json.NewEncoder(out).Encode(progress())
		case <-ticker.C:
			_ = json.NewEncoder(out).Encode(progress()) // nobody may be left to be told
		}
	}
}

// Pause waits, or until ctx ends.
func Pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
