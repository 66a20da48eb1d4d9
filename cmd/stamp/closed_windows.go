package main

import (
	"errors"
	"syscall"
)

const errorNoData = syscall.Errno(232) // ERROR_NO_DATA: the pipe is being closed

// isClosedPipe tells the error of a write that nobody will read.
func isClosedPipe(err error) bool {
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, errorNoData)
}
