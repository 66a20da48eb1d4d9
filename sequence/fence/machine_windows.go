package fence

import (
	"syscall"
	"unicode/utf16"
	"unsafe"
)

// rawMachineID reads HKLM\SOFTWARE\Microsoft\Cryptography\MachineGuid, which
// setup makes.
func rawMachineID() ([]byte, error) {
	path, err := syscall.UTF16PtrFromString(`SOFTWARE\Microsoft\Cryptography`)
	if err != nil {
		return nil, err
	}
	value, err := syscall.UTF16PtrFromString("MachineGuid")
	if err != nil {
		return nil, err
	}
	const wow64 = 0x100 // the 64-bit view of the registry
	var key syscall.Handle
	if err := syscall.RegOpenKeyEx(syscall.HKEY_LOCAL_MACHINE, path, 0, syscall.KEY_QUERY_VALUE|wow64, &key); err != nil {
		return nil, err
	}
	defer func() { _ = syscall.RegCloseKey(key) }()
	var text [64]uint16
	size := uint32(unsafe.Sizeof(text))
	if err := syscall.RegQueryValueEx(key, value, nil, nil, (*byte)(unsafe.Pointer(&text)), &size); err != nil {
		return nil, err
	}
	return []byte(string(utf16.Decode(text[:size/2]))), nil
}
