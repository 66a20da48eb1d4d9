package fence

import (
	"errors"
	"os"
	"syscall"
)

// fileIdentity tells a file from all others of the machine.
func fileIdentity(path string) (device, inode uint64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	var info syscall.ByHandleFileInformation
	err = syscall.GetFileInformationByHandle(syscall.Handle(file.Fd()), &info)
	if err = errors.Join(err, file.Close()); err != nil {
		return 0, 0, err
	}
	return uint64(info.VolumeSerialNumber), uint64(info.FileIndexHigh)<<32 | uint64(info.FileIndexLow), nil
}
