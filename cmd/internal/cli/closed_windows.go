package cli

import (
	"errors"
	"syscall"
)

const errorNoData = syscall.Errno(232) // ERROR_NO_DATA: the pipe is being closed

// IsClosedPipe tells the error of a write that nobody will read.
func IsClosedPipe(err error) bool {
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, errorNoData)
}
