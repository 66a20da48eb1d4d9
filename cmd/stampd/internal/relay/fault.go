package relay

import (
	"fmt"
	"time"
)

// Kind is what a fault does. The zero value does nothing.
type Kind int

const (
	// Pass hands on everything.
	Pass Kind = iota
	// Refuse closes connections as soon as they are made, and those that are
	// there.
	Refuse
	// Delay holds requests back for up to the fault's time.
	Delay
	// LoseRequest closes the connection in place of handing on a request.
	LoseRequest
	// LoseReply hands on the request and closes the connection when the reply
	// comes.
	LoseReply
	// HalfClose hands on the request and then tells the server that the client
	// has no more to say. The reply is handed on.
	HalfClose
	// Hang hands on the request and keeps the reply, until the fault ends; then
	// the connection is closed.
	Hang
	// Swallow keeps the request, until the fault ends; then the connection is
	// closed.
	Swallow
)

// Kinds are all kinds but Pass.
func Kinds() []Kind {
	return []Kind{Refuse, Delay, LoseRequest, LoseReply, HalfClose, Hang, Swallow}
}

func (k Kind) String() string {
	names := []string{"pass", "refuse", "delay", "lose request", "lose reply", "half-close", "hang", "swallow"}
	if k < 0 || int(k) >= len(names) {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return names[k]
}

// Fault is what happens to requests, from one on that comes after it was set.
type Fault struct {
	Kind Kind
	// Percent of the requests are hit, at random. 0 is all of them. Connections
	// that begin with an exchange of their own are hardly used while all are hit.
	Percent int
	// Time is that of Delay.
	Time time.Duration
}

func (f Fault) String() string {
	text := f.Kind.String()
	if f.Percent > 0 {
		text += fmt.Sprintf(" %d%%", f.Percent)
	}
	if f.Time > 0 {
		text += " " + f.Time.String()
	}
	return text
}
