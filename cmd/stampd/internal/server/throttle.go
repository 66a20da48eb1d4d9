package server

import (
	"sync"
	"time"
)

// throttle lets one event pass in a while, so that an outage doesn't fill a disk
// with a line for each request.
type throttle struct {
	every time.Duration

	mu   sync.Mutex
	next time.Time
	held int64
}

// pass tells whether an event may pass, and how many were held since the last one
// that did.
func (t *throttle) pass(now time.Time) (held int64, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now.Before(t.next) {
		t.held++
		return 0, false
	}
	held, t.held = t.held, 0
	t.next = now.Add(t.every)
	return held, true
}
