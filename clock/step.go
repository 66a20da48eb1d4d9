package clock

import (
	"fmt"
	"time"
)

// StepKind says what the wall clock did.
type StepKind uint8

const (
	// NoStep is the zero value: nothing was noticed.
	NoStep StepKind = iota
	// StepBack is a step back of a second or more. It is followed.
	StepBack
	// StepHeld is a step forward beyond MaxStep that isn't followed yet.
	StepHeld
	// StepFollowed is a held step that was read for StepConfirm and is
	// followed from now on.
	StepFollowed
)

func (k StepKind) String() string {
	switch k {
	case NoStep:
		return "none"
	case StepBack:
		return "back"
	case StepHeld:
		return "held"
	case StepFollowed:
		return "followed"
	}
	return fmt.Sprintf("StepKind(%d)", uint8(k))
}

// Step is a jump of the wall clock. Each is noticed by exactly one reading.
type Step struct {
	Kind     StepKind
	By       time.Duration // negative when the clock went back
	From, To time.Time     // what was expected, and what was read
}
