package segment

// Close ends fetching in the background and waits for a fetch that is under
// way. One that no caller waits for is interrupted; what it may have reserved
// is lost. Numbers that are there can still be claimed, and callers that find
// none fetch for themselves.
//
// It may be called any number of times. The error is always nil; it makes a
// Generator an io.Closer.
func (g *Generator) Close() error {
	g.mu.Lock()
	g.closed = true
	g.stopTimers()
	f := g.flight
	if f != nil && f.waiters == 0 {
		f.interrupted = true
		f.cancel()
	}
	g.unlock()
	if f != nil {
		<-f.done
	}
	return nil
}

func (g *Generator) stopTimers() {
	g.backoff.stop()
	if t := g.distance.timer; t != nil {
		t.Stop()
		g.distance.timer = nil
	}
}
