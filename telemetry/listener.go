package telemetry

// Listener is a set of functions that are called for events, each of them
// optional; the zero value listens to nothing. Set the functions before the
// listener is used and don't change them after; then it may be used by any
// number of configurations and goroutines. Its functions are called from many
// goroutines at once. It must not be copied after first use.
//
// For the rule that a subscriber isn't called from within its own delivery, a
// listener's functions are one subscriber.
type Listener struct {
	OnOverflow    func(Overflow)
	OnAhead       func(Ahead)
	OnClockStep   func(ClockStep)
	OnExpiring    func(Expiring)
	OnClockOffset func(ClockOffset)
	OnDuplicate   func(Duplicate)

	OnFenceRenewed func(FenceRenewed)
	OnFenceFailed  func(FenceFailed)
	OnFenceLost    func(FenceLost)
	OnFenceBehind  func(FenceBehind)

	guard guard
}

// handler returns the function of l for events of type E, nil if there is none.
func handler[E Event](l *Listener) func(E) {
	if l == nil {
		return nil
	}
	var fn any
	switch any((*E)(nil)).(type) {
	case *Overflow:
		fn = l.OnOverflow
	case *Ahead:
		fn = l.OnAhead
	case *ClockStep:
		fn = l.OnClockStep
	case *Expiring:
		fn = l.OnExpiring
	case *ClockOffset:
		fn = l.OnClockOffset
	case *Duplicate:
		fn = l.OnDuplicate
	case *FenceRenewed:
		fn = l.OnFenceRenewed
	case *FenceFailed:
		fn = l.OnFenceFailed
	case *FenceLost:
		fn = l.OnFenceLost
	case *FenceBehind:
		fn = l.OnFenceBehind
	}
	return fn.(func(E))
}
