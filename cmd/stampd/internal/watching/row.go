package watching

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Level is how bad the state of a row is.
type Level uint8

// Levels, from good to bad.
const (
	Fine Level = iota
	Warning
	Critical
)

func (l Level) String() string { return [...]string{"ok", "warning", "critical"}[l] }

// Forever is the time to exhaustion of what nobody uses.
const Forever = time.Duration(math.MaxInt64)

// Row is one line of the table: a generator, a counter, or a source that failed
// and has never told anything.
type Row struct {
	Source  string // an address or the name of a store
	Counter string // empty: the source failed
	// Generator is set for generators, the only ones with Reserve, Distance,
	// Waits and WaitP99.
	Generator bool
	// Remaining is what can be used up: the stock of a generator, reserve
	// included, or what is left of the counter's numbers.
	Remaining, Reserve uint64
	// At is where a counter stands. Of one that isn't there no figure is known.
	At      int64
	Missing bool
	// Rate and Peak are ids a second. Left is how long Remaining lasts at Rate.
	Rate, Peak float64
	Left       time.Duration
	Distance   int64 // segments
	Waits      uint64
	WaitP99    time.Duration
	Failures   uint64
	// State is for people, empty if there is nothing to say.
	State string
	Level Level
	// Age is for how long there was no later answer than this, if it failed.
	Age time.Duration
	// Err is why the source failed, nil if it didn't.
	Err error
	// WentBack says that the counter stands below where it stood before.
	WentBack bool
}

// hasFigures tells whether the row is more than a state.
func (r *Row) hasFigures() bool { return r.Counter != "" && !r.Missing }

// worse makes the row as bad as level, and says why.
func (r *Row) worse(level Level, state string) {
	if level > r.Level || r.State == "" {
		r.State = state
	}
	r.Level = max(r.Level, level)
}

// sortRows puts what failed first, and then what ends first.
func sortRows(rows []Row) {
	slices.SortFunc(rows, func(a, b Row) int {
		if failed := (a.Err != nil) != (b.Err != nil); failed {
			if a.Err != nil {
				return -1
			}
			return 1
		}
		return cmp.Or(
			cmp.Compare(a.Left, b.Left),
			cmp.Compare(b.Level, a.Level),
			cmp.Compare(a.Counter, b.Counter),
			cmp.Compare(a.Source, b.Source),
		)
	})
}

// lasts is how long n ids last at a rate.
func lasts(n uint64, rate float64) time.Duration {
	if seconds := float64(n) / rate; seconds < Forever.Seconds() {
		return time.Duration(seconds * float64(time.Second))
	}
	return Forever
}
