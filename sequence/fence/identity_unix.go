//go:build unix

package fence

import (
	"os"
	"syscall"
)

// fileIdentity tells a file from all others of the machine.
func fileIdentity(path string) (device, inode uint64, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, 0, err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, &os.PathError{Op: "stat", Path: path, Err: syscall.ENOTSUP}
	}
	return uint64(stat.Dev), uint64(stat.Ino), nil //nolint:unconvert // other types on other systems
}
