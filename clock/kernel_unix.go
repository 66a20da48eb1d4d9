//go:build unix

package clock

import (
	"syscall"
	"time"
)

// kernelTime asks the operating system for the wall clock, past package time,
// whose clock is another one in a testing/synctest bubble.
func kernelTime() (time.Time, bool) {
	var tv syscall.Timeval
	if err := syscall.Gettimeofday(&tv); err != nil {
		return time.Time{}, false
	}
	return time.Unix(0, tv.Nano()), true
}
