package faults

import (
	"fmt"
	"time"

	"github.com/stampid/go-stamp/cmd/stampd/internal/relay"
)

// Action is what an [Event] does.
type Action int

// What is done to workers, and to their clocks, is done by one line of events;
// what is done to their store by another.
const (
	KillWorker    Action = iota + 1 // and start it again after For, its clock at By
	KillWorkers                     // all at once, and start them again at once
	EndWorker                       // in order, and start it again after For, its clock at By
	FreezeWorker                    // for For, its clock at By when it goes on
	SetClock                        // to By, while the worker runs
	FreezeClock                     // for For
	KillServer                      // and start it again after For
	FreezeServer                    // for For
	Hold                            // the store's lock, for For
	Cut                             // all connections
	BreakRequests                   // by a fault of the relay, for For
	FillDisk                        // for For
	LockDisk                        // make it read-only, for For
	UseCopy                         // of the store's folder
)

func (a Action) String() string {
	return [...]string{
		"none", "kill worker", "kill all workers", "end worker", "freeze worker", "set clock", "freeze clock",
		"kill server", "freeze server", "hold the lock", "cut connections", "requests:",
		"fill the disk", "make the disk read-only", "use a copy of the folder",
	}[a]
}

// OnWorkers tells whether it is done to workers, and not to their store.
func (a Action) OnWorkers() bool { return a <= FreezeClock }

// Event is a fault at a time.
type Event struct {
	At     time.Duration // from the beginning
	Action Action
	Worker int
	For    time.Duration
	Fault  relay.Fault
	// By is where a clock is set, against the true time. 0 with a worker that is
	// started anew or frozen: its clock is left as it is.
	By time.Duration
}

func (e Event) String() string {
	text := fmt.Sprintf("%8.3fs %v", e.At.Seconds(), e.Action)
	switch e.Action {
	case KillWorker, EndWorker, FreezeWorker, SetClock, FreezeClock:
		text += fmt.Sprintf(" %d", e.Worker)
	case BreakRequests:
		text += " " + e.Fault.String()
	}
	if e.For > 0 {
		text += fmt.Sprintf(" for %v", e.For)
	}
	if e.By != 0 {
		text += fmt.Sprintf(", clock at %+.3fs", e.By.Seconds())
	}
	return text
}
