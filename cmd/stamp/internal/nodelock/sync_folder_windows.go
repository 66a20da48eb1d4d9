package nodelock

// syncFolder does nothing: Windows opens no folder for writing, and NTFS
// journals a rename.
func syncFolder(string) error { return nil }
