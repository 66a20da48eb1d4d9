//go:build !darwin && !dragonfly && !freebsd && !linux && !windows

package fence

func rawMachineID() ([]byte, error) { return firstFile("/etc/machine-id", "/etc/hostid") }
