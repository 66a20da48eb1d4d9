package segment

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/store"
)

// Generator hands out the numbers of one counter, or of one counter per group.
// It is safe for concurrent use.
//
// Methods that take a context wait for numbers no longer than it lasts, and
// for Options.Timeout if it is nil. A call that finds numbers doesn't look at
// its context.
type Generator struct {
	// current is the segment that numbers are claimed from. It is never nil.
	current  atomic.Pointer[segment]
	plain    bool // neither clock nor group matter
	timed    bool // there is a TTL, or groups by time: the clock matters
	grouped  bool // values need their group
	calendar *calendar
	system   *clock.System // the clock, if it is one
	options  Options
	key      store.Key
	counters store.Counters
	_        [64]byte

	mu      sync.Mutex // not held over calls to the store, listeners or group functions
	closed  bool
	stopped error // after a rollback
	group   *group
	reserve []*segment // after current, in order of allocation
	ahead   *segment   // of the next group, fetched early
	jitter  time.Duration
	marks   marks
	flight  *flight // nil when no fetch is in flight

	distance distance
	backoff  backoff
	meter    meter
	events   []func(*Listener)
}

// New makes a generator for the counter key. It asks nothing of the store: the
// first segment is fetched by Warm or by the first call.
//
// The error matches [ErrOptions] and names every violation. Neither namespace
// nor name may be empty or have a @ or #.
func New(counters store.Counters, key store.Key, o Options) (*Generator, error) {
	if err := errors.Join(validateKey(key), checkCounters(counters), o.Validate()); err != nil {
		return nil, err
	}
	if err := checkAudit(o.Audit, counters); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOptions, err)
	}
	return newGenerator(counters, key, o), nil
}

// newGenerator is New for what is known to be good.
func newGenerator(counters store.Counters, key store.Key, o Options) *Generator {
	o = o.normal()
	g := &Generator{
		options: o, key: key, counters: counters,
		timed:   o.TTL > 0 || o.Group.Period != NoPeriod,
		grouped: o.Group.Period != NoPeriod || o.Group.Func != nil,
		group:   new(group),
	}
	g.plain = !g.timed && !g.grouped
	g.system, _ = o.Clock.(*clock.System)
	if o.Group.Period != NoPeriod {
		g.calendar = o.Group.calendar()
	}
	g.distance.now = o.SafeDistance
	g.current.Store(empty(g.group))
	return g
}

func checkCounters(c store.Counters) error {
	if c == nil || isNil(c) {
		return fmt.Errorf("%w: no counters", ErrOptions)
	}
	return nil
}

// Key is the counter's key, without group.
func (g *Generator) Key() store.Key { return g.key }

// Options returns what the generator was made with, defaults filled in.
func (g *Generator) Options() Options { return g.options }

// Next returns the next number.
//
// Errors: [ErrGrouped]; without numbers [FetchError], [BackoffError],
// [RolledBackError], or one that matches ctx's error.
func (g *Generator) Next(ctx context.Context) (int64, error) {
	if g.plain {
		s := g.current.Load()
		index := s.word.Add(1) - 1
		if index < s.low.Load() {
			return s.first + int64(index), nil
		}
		return g.atLow(ctx, s, index)
	}
	return g.next(ctx)
}

// atLow ends a Next that claimed an index at or above s.low. It is apart to
// keep Next small.
func (g *Generator) atLow(ctx context.Context, s *segment, index uint64) (int64, error) {
	if index < s.size {
		g.runsLow(s)
		return s.first + int64(index), nil
	}
	return g.next(ctx)
}

// next is Next where it isn't a matter of an add and a comparison.
func (g *Generator) next(ctx context.Context) (int64, error) {
	if g.grouped {
		return 0, ErrGrouped
	}
	if s := g.current.Load(); g.timed && g.fresh(s) {
		if index := s.word.Add(1) - 1; index < s.low.Load() {
			return s.first + int64(index), nil
		} else if index < s.size {
			g.runsLow(s)
			return s.first + int64(index), nil
		}
	}
	r, err := g.slow(ctx)
	return r.First, err
}

// fresh tells whether s may be claimed from without a look at the clock. The
// clock's cheap side is read after s was loaded: a segment that others
// switched to had begun before this call's reading.
func (g *Generator) fresh(s *segment) bool {
	if !g.timed {
		return true
	}
	if g.system != nil {
		return int64(g.system.Monotonic()) < s.until.Load()
	}
	return int64(g.options.Clock.Monotonic()) < s.until.Load()
}

// Grouped is a number together with its group.
type Grouped struct {
	Value int64
	Group string // as in the counter's name; empty without groups
	// Day is the first day of a group by time, as days from 1970-01-01, else 0.
	Day int64
}

// NextGrouped returns the next number of the group of the moment, and that
// group. The group is that of the clock reading or the Func call that this
// call made.
//
// Errors: those of [Generator.Next] but ErrGrouped, and [ErrGroup] or Func's.
func (g *Generator) NextGrouped(ctx context.Context) (Grouped, error) {
	if s := g.current.Load(); g.options.Group.Func == nil && g.fresh(s) {
		if index := s.word.Add(1) - 1; index < s.low.Load() {
			return Grouped{Value: s.first + int64(index), Group: s.group.name, Day: s.group.day}, nil
		} else if index < s.size {
			g.runsLow(s)
			return Grouped{Value: s.first + int64(index), Group: s.group.name, Day: s.group.day}, nil
		}
	}
	r, err := g.slow(ctx)
	return Grouped{Value: r.First, Group: r.Group, Day: r.Day}, err
}

// slow is for one number that wasn't there at once.
func (g *Generator) slow(ctx context.Context) (Run, error) {
	p := g.patience(ctx)
	defer p.end()
	return g.take(&p, 1)
}
