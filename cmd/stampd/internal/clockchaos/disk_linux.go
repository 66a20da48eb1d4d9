package clockchaos

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/stampid/go-stamp/cmd/stampd/internal/faults"
	"github.com/stampid/go-stamp/cmd/stampd/internal/fleet"
)

// diskSize is enough for the contents, beside which it is filled.
const diskSize = 16 << 20

// disk is a file system of memory at a folder. It is a faults.Disk.
type disk struct{ folder string }

// mountDisk makes a small disk at a folder, which takes the right to do so: root's,
// and not in every container.
func mountDisk(folder string) (*disk, error) {
	if err := syscall.Mount("chaos", folder, "tmpfs", 0, fmt.Sprintf("mode=755,size=%d", diskSize)); err != nil {
		return nil, fmt.Errorf("mount: %w", err)
	}
	return &disk{folder}, nil
}

func (d *disk) unmount() error { return syscall.Unmount(d.folder, syscall.MNT_DETACH) }

// Fill writes a file until nothing goes in any more.
func (d *disk) Fill() (release func() error, err error) {
	path := filepath.Join(d.folder, "ballast")
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	release = func() error { return errors.Join(file.Close(), os.Remove(path)) }
	for {
		if _, err := file.Write(make([]byte, 4096)); errors.Is(err, syscall.ENOSPC) || errors.Is(err, io.ErrShortWrite) {
			return release, nil
		} else if err != nil {
			return nil, errors.Join(err, release())
		}
	}
}

// Lock makes the disk read-only as soon as nobody has a file open to write.
func (d *disk) Lock(ctx context.Context) (release func() error, err error) {
	for end := time.Now().Add(5 * time.Second); ; fleet.Pause(ctx, time.Millisecond) {
		err := d.remount(syscall.MS_RDONLY)
		switch {
		case err == nil:
			return func() error { return d.remount(0) }, nil
		case !errors.Is(err, syscall.EBUSY):
			return nil, fmt.Errorf("remount: %w", err)
		case time.Now().After(end), ctx.Err() != nil:
			return nil, faults.ErrMissed
		}
	}
}

func (d *disk) remount(flags uintptr) error {
	return syscall.Mount("chaos", d.folder, "tmpfs", syscall.MS_REMOUNT|flags, fmt.Sprintf("size=%d", diskSize))
}
