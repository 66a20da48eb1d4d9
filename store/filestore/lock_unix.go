//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package filestore

import (
	"errors"
	"os"
	"syscall"
)

// canLock tells whether this system has locks.
const canLock = true

// lockFile waits for the lock. It belongs to this opening of the file, so that
// two stores of one process exclude each other too.
func lockFile(file *os.File) error { return flock(file, syscall.LOCK_EX) }

func unlockFile(file *os.File) error { return flock(file, syscall.LOCK_UN) }

func flock(file *os.File, how int) error {
	for {
		err := syscall.Flock(int(file.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
