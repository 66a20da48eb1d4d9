package filestore

import (
	"os"
	"syscall"
	"unsafe"
)

// The flags of MoveFileEx, from winbase.h.
const (
	moveReplaceExisting = 0x1
	moveWriteThrough    = 0x8
)

// replace is os.Rename that returns when the rename is on the disk.
func replace(from, to string) error {
	fromName, err := syscall.UTF16PtrFromString(from)
	if err != nil {
		return err
	}
	toName, err := syscall.UTF16PtrFromString(to)
	if err != nil {
		return err
	}
	done, _, errno := kernel32("MoveFileExW").Call(uintptr(unsafe.Pointer(fromName)), uintptr(unsafe.Pointer(toName)),
		moveReplaceExisting|moveWriteThrough)
	if done == 0 {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: errno}
	}
	return nil
}

// syncFolder does nothing: Windows has no flush of folders, and replace has
// waited for the disk.
func syncFolder(string) error { return nil }

func kernel32(name string) *syscall.LazyProc {
	return syscall.NewLazyDLL("kernel32.dll").NewProc(name)
}
