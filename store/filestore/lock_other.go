//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package filestore

import (
	"errors"
	"os"
)

// canLock tells whether this system has locks.
const canLock = false

func lockFile(*os.File) error { return errors.ErrUnsupported }

func unlockFile(*os.File) error { return nil }
