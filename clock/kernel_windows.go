package clock

import (
	"syscall"
	"time"
)

// kernelTime asks the operating system for the wall clock, past package time,
// whose clock is another one in a testing/synctest bubble.
func kernelTime() (time.Time, bool) {
	var ft syscall.Filetime
	syscall.GetSystemTimeAsFileTime(&ft)
	return time.Unix(0, ft.Nanoseconds()), true
}
