//go:build darwin || dragonfly || freebsd

package fence

import (
	"runtime"
	"syscall"
)

func rawMachineID() ([]byte, error) {
	name := "kern.hostuuid"
	if runtime.GOOS == "darwin" {
		name = "kern.uuid"
	}
	text, err := syscall.Sysctl(name)
	if err != nil {
		return nil, nil //nolint:nilerr // a system that doesn't know itself
	}
	return []byte(text), nil
}
