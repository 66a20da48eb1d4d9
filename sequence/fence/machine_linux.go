package fence

func rawMachineID() ([]byte, error) {
	return firstFile("/etc/machine-id", "/var/lib/dbus/machine-id")
}
