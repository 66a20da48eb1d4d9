package telemetry

import "time"

// FenceRenewed says that a fence's record was taken or renewed: ids may have
// times below Bound. It comes about every half window, so the slog adapter
// doesn't log it.
type FenceRenewed struct {
	Space string
	Node  uint64

	// Acquired is set for the first of a process.
	Acquired bool
	// Floor is the first time that ids of this process may have, Bound the
	// first that they may not have yet.
	Floor, Bound time.Time
	// Took is how long the store took, attempts that failed not counted.
	Took time.Duration
}

// FenceFailed says that an attempt to take or renew a fence's record failed. It
// will be repeated. Ids are made until Left has passed.
type FenceFailed struct {
	Space string
	Node  uint64

	// Left is for how long the clock can go on below the bound, 0 if it can't.
	Left time.Duration
	Err  error
}

// FenceLost says that a fence's record isn't what this process made it, so that
// another process may have the node. Ids end at the bound that was stored
// before, or have ended, if what was found shows that the store went back.
type FenceLost struct {
	Space string
	Node  uint64

	// Owner is who the record belongs to now, empty if that isn't known, and
	// Bound its bound.
	Owner string
	Bound time.Time
	Err   error
}

// FenceBehind says that a process starts while the clock is behind the bound
// that an earlier one left: the earlier one has stopped a moment ago, had driven
// time ahead, or the clock was set back. It is reported once for a start.
type FenceBehind struct {
	Space string
	Node  uint64

	// Floor is the bound that was found, Clock what the clock says, and By how
	// far it is behind.
	Floor, Clock time.Time
	By           time.Duration
	// Begins is set if ids begin at Floor. Else none are made until the clock is
	// near enough.
	Begins bool
}
