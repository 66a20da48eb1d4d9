//go:build !windows

package main

import (
	"errors"
	"syscall"
)

// isClosedPipe tells the error of a write that nobody will read.
func isClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
