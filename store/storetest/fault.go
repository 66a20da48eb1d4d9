package storetest

import (
	"errors"
	"strconv"
	"time"
)

// ErrInjected is what a call fails with if its [Fault] names no error.
var ErrInjected = errors.New("storetest: injected error")

// Kind is what goes wrong in a call.
type Kind uint8

const (
	// Pass is that nothing does.
	Pass Kind = iota
	// FailBefore is an error without effect.
	FailBefore
	// FailAfter is an error although the call took effect, and one that doesn't
	// match store.ErrUnknownOutcome: a store that breaks its contract.
	FailAfter
	// LoseRequest is store.ErrUnknownOutcome of a call without effect. Calls that
	// only read, which have no outcome, fail with the error alone; so they do
	// with the next three.
	LoseRequest
	// LoseReply is store.ErrUnknownOutcome of a call that took effect.
	LoseReply
	// Hang is a call without effect that ends with its context.
	Hang
	// HangAfter is a call that takes effect, and ends with its context.
	HangAfter
	// Slow is a call that waits for [Fault].Delay before it is made. If its
	// context ends first, it isn't made.
	Slow
	// Restore puts all counters or records back to the last snapshot before the
	// call is made. See [Faulty.Restore].
	Restore
	// Vanish removes the counter or record before the call is made.
	Vanish
)

func (k Kind) String() string {
	names := [...]string{
		"pass", "fail before", "fail after", "lose request", "lose reply",
		"hang", "hang after", "slow", "restore", "vanish",
	}
	if int(k) < len(names) {
		return names[k]
	}
	return "kind " + strconv.Itoa(int(k))
}

// Fault is what happens to one call. The zero value lets it pass.
type Fault struct {
	Kind Kind
	// Err is the error of FailBefore and FailAfter, and the cause of what
	// LoseRequest and LoseReply return. Nil: [ErrInjected].
	Err error
	// Delay is that of Slow.
	Delay time.Duration
}

func (f Fault) err() error {
	if f.Err != nil {
		return f.Err
	}
	return ErrInjected
}
