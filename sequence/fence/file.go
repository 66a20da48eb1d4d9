package fence

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/stampid/go-stamp/store/filestore"
)

// File makes a fence whose records are in a folder of this machine, which must
// exist; see package filestore for its files and what it needs of a file system.
//
// Records say where they were written: the machine, and device and inode of the
// folder's lock file. A folder that was copied, restored from a backup or moved
// is refused with a *[CopiedError], and so is one whose lock file was deleted or
// replaced. An identical clone of a machine can't be told.
//
// It looks at the folder once, and makes the lock file if there is none. The
// errors are those of [New] and of package filestore.
func File(folder string, o Options) (*Fence, error) {
	records, err := filestore.New(folder)
	if err != nil {
		return nil, err
	}
	f, err := New(records, o)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), f.options.CallTimeout)
	defer cancel()
	if _, err := records.Get(ctx, Key(f.Space(), "", 0)); err != nil {
		return nil, err
	}
	machine, err := machineID()
	if err != nil {
		return nil, fmt.Errorf("fence: identity of the machine: %w", err)
	}
	p := &place{folder: folder, adopt: o.Adopt}
	p.look = func() (string, error) {
		device, inode, err := fileIdentity(records.LockFile())
		if err != nil {
			return "", fmt.Errorf("fence: identity of the lock file: %w", err)
		}
		return fmt.Sprintf("machine %s device %x inode %x", machine, device, inode), nil
	}
	if p.found, err = p.look(); err != nil {
		return nil, err
	}
	f.place = p
	return f, nil
}

// firstFile returns the content of the first of files that exists, nil if none
// does.
func firstFile(files ...string) ([]byte, error) {
	for _, file := range files {
		text, err := os.ReadFile(file)
		if !errors.Is(err, fs.ErrNotExist) {
			return text, err
		}
	}
	return nil, nil
}
