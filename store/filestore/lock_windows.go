package filestore

import (
	"os"
	"syscall"
	"unsafe"
)

const (
	// lockExclusive is a flag of LockFileEx, from winbase.h. Without another
	// one the call waits.
	lockExclusive = 0x2
	// wholeFile is both halves of the length of what is locked.
	wholeFile = uintptr(^uint32(0))
)

// canLock tells whether this system has locks.
const canLock = true

// lockFile waits for the lock. It belongs to this opening of the file, so that
// two stores of one process exclude each other too.
func lockFile(file *os.File) error {
	var start syscall.Overlapped
	done, _, errno := kernel32("LockFileEx").Call(file.Fd(), lockExclusive, 0, wholeFile, wholeFile,
		uintptr(unsafe.Pointer(&start)))
	if done == 0 {
		return errno
	}
	return nil
}

func unlockFile(file *os.File) error {
	var start syscall.Overlapped
	done, _, errno := kernel32("UnlockFileEx").Call(file.Fd(), 0, wholeFile, wholeFile, uintptr(unsafe.Pointer(&start)))
	if done == 0 {
		return errno
	}
	return nil
}
