package chaos

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/stampid/go-stamp/cmd/stampd/internal/faults"
	"github.com/stampid/go-stamp/cmd/stampd/internal/fleet"
	"github.com/stampid/go-stamp/cmd/stampd/internal/relay"
)

// Report is the result of a run.
type Report struct {
	Kind    string
	Seed    uint64
	Wanted  int64 // numbers
	Took    time.Duration
	Faults  map[faults.Action]int
	Tally   fleet.Tally[Progress]
	Verdict Verdict
	Counter int64 // where it stood in the end
	// Connections that the workers made, and what they sent; nothing for stores
	// without a server.
	Connections relay.Counts
}

// Err lists all that must not be; nil if there is nothing.
func (r Report) Err() error {
	var errs []error
	wrong := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf(r.Kind+": "+format, args...))
	}
	if r.Verdict.Repeated > 0 {
		wrong("%d numbers were given out again", r.Verdict.Repeated)
	}
	for _, d := range r.Verdict.Duplicates {
		wrong("%v", d)
	}
	if r.Verdict.Falls > 0 {
		wrong("%d times a goroutine got a number that isn't above its last", r.Verdict.Falls)
	}
	for _, f := range r.Verdict.Disorder {
		wrong("%v", f)
	}
	if r.Verdict.Highest > r.Counter {
		wrong("number %d was given out, and the counter stands at %d", r.Verdict.Highest, r.Counter)
	}
	if r.Tally.Progress.RolledBack != "" {
		wrong("a generator stopped: %s", r.Tally.Progress.RolledBack)
	}
	if r.Tally.Progress.Unexpected != "" {
		wrong("an unexpected error: %s", r.Tally.Progress.Unexpected)
	}
	for _, err := range r.Tally.Crashed {
		wrong("a worker ended: %v", err)
	}
	if r.Verdict.Numbers < r.Wanted {
		wrong("%d numbers in %v, want %d", r.Verdict.Numbers, r.Took.Round(time.Second), r.Wanted)
	}
	return errors.Join(errs...)
}

func (r Report) String() string {
	var b strings.Builder
	v, t := r.Verdict, r.Tally
	fmt.Fprintf(&b, "%s, seed %d: %d numbers in %.1f s, %d duplicates, %d out of order, highest %d of %d\n",
		r.Kind, r.Seed, v.Numbers, r.Took.Seconds(), v.Repeated, v.Falls, v.Highest, r.Counter)
	fmt.Fprintf(&b, "    %d processes started, %d killed;", t.Starts, t.Kills)
	b.WriteString(faults.Counts(r.Faults))
	fmt.Fprintf(&b, "\n    calls without a number: %d failed fetches, %d before the next attempt, %d out of time", t.Progress.Fetch, t.Progress.Backoff, t.Progress.Deadline)
	if c := r.Connections; c.Connections > 0 {
		fmt.Fprintf(&b, "\n    %d connections, %d requests, %d of them broken", c.Connections, c.Requests, c.Hit)
	}
	return b.String()
}
