package clockchaos

import (
	"encoding/binary"
	"fmt"
	"os"
	"time"
)

// Wall is the wall clock of a worker, which other processes set while it reads
// it: the system's clock and an offset, or a time at which it stands still. It is
// kept in a file of 8 bytes, so that a reading is never half of one and half of
// another: microseconds, doubled, and 1 more if it stands still.
//
// The methods of a Wall may be called by one goroutine after the other. It is a
// faults.Clock.
type Wall struct {
	path string
	by   time.Duration
}

// NewWall makes a clock in a file that shows the true time.
func NewWall(path string) (*Wall, error) {
	w := &Wall{path: path}
	return w, w.Set(0)
}

// Set makes the clock run, by so much against the true time, in microseconds.
func (w *Wall) Set(by time.Duration) error {
	w.by = by
	return w.write(by.Microseconds() << 1)
}

// Freeze makes the clock stand still.
func (w *Wall) Freeze() error {
	return w.write(time.Now().Add(w.by).UnixMicro()<<1 | 1)
}

// Thaw makes the clock run as before it was frozen.
func (w *Wall) Thaw() error { return w.Set(w.by) }

func (w *Wall) write(n int64) error {
	file, err := os.OpenFile(w.path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(n)), 0)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// readWall returns the reading side of the clock in a file.
func readWall(path string) (func() time.Time, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return func() time.Time {
		var b [8]byte
		if _, err := file.ReadAt(b[:], 0); err != nil {
			panic(fmt.Errorf("the worker's clock: %w", err)) // it has no time to go on with
		}
		n := int64(binary.LittleEndian.Uint64(b[:]))
		if n&1 == 1 {
			return time.UnixMicro(n >> 1)
		}
		return time.Now().Add(time.Duration(n>>1) * time.Microsecond)
	}, nil
}
