package clock

import (
	"sync"
	"sync/atomic"
	"time"
)

const (
	// A step back shorter than this is an ordinary correction: followed, but
	// not reported.
	reportedStepBack = time.Second
	// A held step whose length changes by more than this is another step, and
	// its confirmation starts anew.
	sameStep = time.Second
	// Wall and monotonic clock are read one after the other, so their
	// difference trembles. Smaller changes aren't stored, which keeps the
	// follower's memory read-mostly.
	tremble = 100 * time.Microsecond
	// Differences are cut to 146 years, so that the distance of two of them
	// can't wrap.
	farthest = time.Duration(1)<<62 - 1
)

// follower turns raw readings into what a Reading says. Its state is three
// differences "wall clock minus monotonic clock", counted from the first
// reading: as long as the wall clock doesn't step, they are constant.
type follower struct {
	maxStep, confirm time.Duration
	startWall        time.Time // without a monotonic reading
	startMono        time.Duration

	highest  atomic.Int64 // gives the reference time; only grows
	followed atomic.Int64 // gives the wall clock while a step is held
	holding  atomic.Bool  // a step is held; the fields below are in use

	mu    sync.Mutex
	held  time.Duration // difference that the held step asks for
	since time.Duration // monotonic reading that saw it first
}

func newFollower(o Options, wall time.Time, mono time.Duration) *follower {
	return &follower{
		maxStep: o.MaxStep, confirm: o.StepConfirm,
		startWall: wall.Round(0).UTC(), startMono: mono,
	}
}

func (f *follower) read(wall time.Time, mono time.Duration) Reading {
	passed := mono - f.startMono
	diff := difference(wall.Round(0).Sub(f.startWall), passed)
	r := Reading{Monotonic: mono}

	if highest := time.Duration(f.highest.Load()); diff-highest > f.maxStep {
		diff, r.Step = f.hold(diff, passed)
	} else {
		if f.holding.Load() {
			f.release()
		}
		r.Step = f.follow(diff, passed)
	}
	r.Wall = f.instant(passed, diff)
	r.Reference = f.instant(passed, raise(&f.highest, diff))
	return r
}

func (f *follower) instant(passed, diff time.Duration) time.Time {
	return f.startWall.Add(passed).Add(diff)
}

// follow remembers diff, and reports a step back. The swap makes one reader
// the one that noticed it.
func (f *follower) follow(diff, passed time.Duration) Step {
	old := time.Duration(f.followed.Load())
	by := diff - old
	if -tremble <= by && by <= tremble {
		return Step{}
	}
	if !f.followed.CompareAndSwap(int64(old), int64(diff)) || by > -reportedStepBack {
		return Step{}
	}
	return Step{Kind: StepBack, By: by, From: f.instant(passed, old), To: f.instant(passed, diff)}
}

// hold answers the difference to go by while the wall clock asks for diff,
// which lies too far ahead to be believed at once.
func (f *follower) hold(diff, passed time.Duration) (time.Duration, Step) {
	f.mu.Lock()
	defer f.mu.Unlock()
	old := time.Duration(f.followed.Load())
	step := Step{By: diff - old, From: f.instant(passed, old), To: f.instant(passed, diff)}

	if moved := diff - f.held; !f.holding.Load() || moved < -sameStep || moved > sameStep {
		f.held, f.since = diff, passed
		f.holding.Store(true)
		step.Kind = StepHeld
		return old, step
	}
	if passed-f.since < f.confirm {
		return old, Step{}
	}
	f.holding.Store(false)
	f.followed.Store(int64(diff))
	step.Kind = StepFollowed
	raise(&f.highest, diff) // under the lock: the next reader must not hold the same step again
	return diff, step
}

func (f *follower) release() {
	f.mu.Lock()
	f.holding.Store(false)
	f.mu.Unlock()
}

// raise makes cell at least d and answers what it then holds.
func raise(cell *atomic.Int64, d time.Duration) time.Duration {
	for {
		old := cell.Load()
		if int64(d) <= old {
			return time.Duration(old)
		}
		if cell.CompareAndSwap(old, int64(d)) {
			return d
		}
	}
}

// difference is wall - mono, cut to farthest. Both may be anything.
func difference(wall, mono time.Duration) time.Duration {
	d := wall - mono
	switch {
	case mono >= 0 && d > wall: // wrapped
		return -farthest
	case mono < 0 && d < wall:
		return farthest
	}
	return min(max(d, -farthest), farthest)
}
