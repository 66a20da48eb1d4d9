package telemetry

import "sync/atomic"

// Subscribe calls fn for every event of type E in the process until cancel is
// called. It may be called at any time, also by a subscriber, and so may
// cancel, any number of times. fn is called from many goroutines at once; see
// the package comment for what it may do. A nil fn subscribes nothing.
//
// An event that is already being delivered while cancel is called may still
// reach fn.
func Subscribe[E Event](fn func(E)) (cancel func()) {
	return subscribe(&subscriber[E]{fn: fn, guard: new(guard)})
}

// SubscribeListener subscribes the functions of l process-wide, as they are at
// the time of the call, until cancel is called. Cancel may be called any
// number of times. A nil listener subscribes nothing.
//
// A listener that is also set in a configuration gets that configuration's
// events twice.
func SubscribeListener(l *Listener) (cancel func()) {
	if l == nil {
		return func() {}
	}
	cancels := [...]func(){
		subscribe(&subscriber[Overflow]{fn: l.OnOverflow, guard: &l.guard}),
		subscribe(&subscriber[Ahead]{fn: l.OnAhead, guard: &l.guard}),
		subscribe(&subscriber[ClockStep]{fn: l.OnClockStep, guard: &l.guard}),
		subscribe(&subscriber[Expiring]{fn: l.OnExpiring, guard: &l.guard}),
		subscribe(&subscriber[ClockOffset]{fn: l.OnClockOffset, guard: &l.guard}),
		subscribe(&subscriber[Duplicate]{fn: l.OnDuplicate, guard: &l.guard}),
		subscribe(&subscriber[FenceRenewed]{fn: l.OnFenceRenewed, guard: &l.guard}),
		subscribe(&subscriber[FenceFailed]{fn: l.OnFenceFailed, guard: &l.guard}),
		subscribe(&subscriber[FenceLost]{fn: l.OnFenceLost, guard: &l.guard}),
		subscribe(&subscriber[FenceBehind]{fn: l.OnFenceBehind, guard: &l.guard}),
	}
	return func() {
		for _, cancel := range cancels {
			cancel()
		}
	}
}

// subscriber is one entry of a topic. Entries are told apart by address, so
// the same function can subscribe twice.
type subscriber[E Event] struct {
	fn    func(E)
	guard *guard
}

func subscribe[E Event](s *subscriber[E]) (cancel func()) {
	if s.fn == nil {
		return func() {}
	}
	t := topicOf[E]()
	t.add(s)
	return func() { t.remove(s) }
}

// topic is the list of process-wide subscribers to one kind of event. Emit
// reads it without a lock, so a list is never changed, only replaced. With no
// subscribers the pointer is nil.
type topic[E Event] struct {
	list atomic.Pointer[[]*subscriber[E]]
}

// topics holds what Subscribe promises to be process-wide.
var topics struct {
	overflow    topic[Overflow]
	ahead       topic[Ahead]
	clockStep   topic[ClockStep]
	expiring    topic[Expiring]
	clockOffset topic[ClockOffset]
	duplicate   topic[Duplicate]

	fenceRenewed topic[FenceRenewed]
	fenceFailed  topic[FenceFailed]
	fenceLost    topic[FenceLost]
	fenceBehind  topic[FenceBehind]
}

func topicOf[E Event]() *topic[E] {
	var t any
	switch any((*E)(nil)).(type) {
	case *Overflow:
		t = &topics.overflow
	case *Ahead:
		t = &topics.ahead
	case *ClockStep:
		t = &topics.clockStep
	case *Expiring:
		t = &topics.expiring
	case *ClockOffset:
		t = &topics.clockOffset
	case *Duplicate:
		t = &topics.duplicate
	case *FenceRenewed:
		t = &topics.fenceRenewed
	case *FenceFailed:
		t = &topics.fenceFailed
	case *FenceLost:
		t = &topics.fenceLost
	case *FenceBehind:
		t = &topics.fenceBehind
	}
	return t.(*topic[E])
}

func (t *topic[E]) subscribers() []*subscriber[E] {
	if p := t.list.Load(); p != nil {
		return *p
	}
	return nil
}

func (t *topic[E]) add(s *subscriber[E]) {
	for {
		old := t.list.Load()
		var list []*subscriber[E]
		if old != nil {
			list = append(list, *old...)
		}
		list = append(list, s)
		if t.list.CompareAndSwap(old, &list) {
			return
		}
	}
}

func (t *topic[E]) remove(s *subscriber[E]) {
	for {
		old := t.list.Load()
		if old == nil {
			return
		}
		list := make([]*subscriber[E], 0, len(*old))
		for _, other := range *old {
			if other != s {
				list = append(list, other)
			}
		}
		if len(list) == len(*old) {
			return
		}
		next := &list
		if len(list) == 0 {
			next = nil
		}
		if t.list.CompareAndSwap(old, next) {
			return
		}
	}
}
