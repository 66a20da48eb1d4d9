package filestore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// disk is what a store does to its folder, one step each, so that tests can
// break each of them.
type disk interface {
	// lock waits until nobody else has the lock. The rest is called under it.
	lock() (unlock func(), err error)
	// read returns the file, or nil if there is none.
	read() ([]byte, error)
	// write makes the next file and flushes it.
	write(data []byte) error
	// swap puts the next file into the place of the file.
	swap() error
	// sync flushes the folder, and with it the last swap, whoever made it.
	sync() error
}

// folder is a path.
type folder string

func (f folder) file() string     { return filepath.Join(string(f), "counters.txt") }
func (f folder) next() string     { return filepath.Join(string(f), "counters.new") }
func (f folder) lockFile() string { return filepath.Join(string(f), "counters.lock") }

// private are the permissions of new files.
const private = 0o600

func (f folder) lock() (unlock func(), err error) {
	for {
		file, err := os.OpenFile(f.lockFile(), os.O_RDWR|os.O_CREATE, private)
		if err != nil {
			return nil, err
		}
		if err := lockFile(file); err != nil {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", file.Name(), err), file.Close())
		}
		unlock := func() {
			// Closing drops the lock, but Windows doesn't say when.
			_ = unlockFile(file)
			_ = file.Close()
		}
		if f.isLockFile(file) {
			return unlock, nil
		}
		// It was deleted while this call waited for it: others lock a new one.
		unlock()
	}
}

func (f folder) isLockFile(file *os.File) bool {
	opened, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(f.lockFile())
	return err == nil && os.SameFile(opened, named)
}

func (f folder) read() ([]byte, error) {
	data, err := os.ReadFile(f.file())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case data == nil:
		return []byte{}, nil // an empty file isn't a missing one
	}
	return data, nil
}

func (f folder) write(data []byte) error {
	file, err := os.OpenFile(f.next(), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, private)
	if err != nil {
		return err
	}
	if _, err := file.Write(data); err != nil {
		return errors.Join(err, file.Close())
	}
	if err := file.Sync(); err != nil {
		return errors.Join(err, file.Close())
	}
	return file.Close()
}

func (f folder) swap() error { return replace(f.next(), f.file()) }

func (f folder) sync() error { return syncFolder(string(f)) }
