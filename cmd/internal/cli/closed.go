//go:build !windows

package cli

import (
	"errors"
	"syscall"
)

// IsClosedPipe tells the error of a write that nobody will read.
func IsClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
