package fence

import "fmt"

// Start says what happens when a process starts while the clock is behind the
// bound that an earlier one left, but not by more than Cap.
type Start uint8

const (
	// WaitOrBegin waits for the clock if the bound is as near as that of a
	// process that runs or was killed a moment ago, two windows; else ids begin
	// at the bound, ahead of the clock.
	WaitOrBegin Start = iota
	// WaitForClock always waits for the clock.
	WaitForClock
	// BeginAtBound makes ids at once, ahead of the clock. A second process with
	// the same node then takes the record from the first at once, which WaitForClock
	// notices and refuses.
	BeginAtBound
)

func (s Start) String() string {
	switch s {
	case WaitOrBegin:
		return "wait or begin"
	case WaitForClock:
		return "wait for the clock"
	case BeginAtBound:
		return "begin at the bound"
	}
	return fmt.Sprintf("Start(%d)", uint8(s))
}

// BeyondCap says what calls do while the clock is behind the bound by more than
// Cap allows: until it has come near enough, no id is made.
type BeyondCap uint8

const (
	// FailBeyondCap is ErrBehind at once.
	FailBeyondCap BeyondCap = iota
	// WaitBeyondCap is to wait, as long as the call may.
	WaitBeyondCap
)

func (b BeyondCap) String() string {
	switch b {
	case FailBeyondCap:
		return "fail"
	case WaitBeyondCap:
		return "wait"
	}
	return fmt.Sprintf("BeyondCap(%d)", uint8(b))
}
