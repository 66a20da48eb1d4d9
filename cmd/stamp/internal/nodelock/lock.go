package nodelock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// window is how far ahead of the clock a bound is written, so that it is
// written about once in this time.
const window = time.Second

// Lock is a node number that nobody else has. It is for one goroutine.
type Lock struct {
	folder    Folder
	file      *flock.Flock
	boundFile string
	record    record // as it is on disk
	floor     uint64
	past      uint64 // one past the highest covered time, 0 without one
}

// start reads the record and waits for the clock to reach its bound.
func (l *Lock) start(ctx context.Context, node uint64) error {
	if err := l.check(); err != nil {
		return err
	}
	r, err := load(l.boundFile, l.folder.Format, node)
	if err != nil {
		return err
	}
	l.record, l.floor = r, r.bound
	if r.bound == 0 {
		return nil
	}
	why := fmt.Sprintf("node %d may have made ids up to then, before it was stopped or the clock was set back", node)
	reached, now, err := l.folder.await(ctx, r.bound, why)
	if err == nil && !reached {
		return &AheadError{Node: node, File: l.boundFile, Bound: l.folder.Format.Timescale.Time(r.bound), Clock: now}
	}
	return err
}

// Node returns the node number.
func (l *Lock) Node() uint64 { return l.record.node }

// Floor returns the first time that ids may have. The clock had reached it when
// the lock was taken, but may be set back later.
func (l *Lock) Floor() uint64 { return l.floor }

// Cover makes it safe to let ids be seen whose times are at most last: a bound
// above last is durable when it returns nil. The error is [ErrLost], or one of
// the file system.
func (l *Lock) Cover(last uint64) error {
	if last >= l.record.bound {
		scale := l.folder.Format.Timescale
		ahead := max(scale.Units(l.folder.Clock.Read().Wall.Add(window)), 0)
		bound := min(max(uint64(ahead), last)+1, l.folder.Format.Layout.MaxTime()+1)
		if err := l.write(bound); err != nil {
			return err
		}
	}
	l.past = max(l.past, last+1)
	return nil
}

// Close records the end of what was covered, waits until the clock has passed
// it, and releases the node. When that would take more than a few seconds,
// because the clock was set back or the unit is long, it doesn't wait: who takes
// the node next has to. The error is ctx's, [ErrLost], or one of the file
// system; the node is released in any case, and ids stay safe.
func (l *Lock) Close(ctx context.Context) error {
	var err error
	if l.past > 0 {
		if l.past < l.record.bound {
			err = l.write(l.past)
		}
		reached, now, waiting := l.folder.await(ctx, l.past, "the clock has to pass the last id")
		if err = errors.Join(err, waiting); err == nil && !reached {
			l.folder.Report(fmt.Sprintf("node %d can't be used again before %s; the clock says %s", l.Node(),
				l.folder.Format.Timescale.Time(l.past).Format(time.RFC3339Nano), now.Format(time.RFC3339Nano)))
		}
	}
	return errors.Join(err, l.file.Close())
}

// write makes bound durable. Without the lock it writes nothing: the record may
// be another holder's by now.
func (l *Lock) write(bound uint64) error {
	if err := l.check(); err != nil {
		return err
	}
	next := l.record
	next.bound = bound
	if err := store(l.boundFile, next); err != nil {
		return fmt.Errorf("record the bound of node %d: %w", l.Node(), err)
	}
	l.record = next
	return nil
}

// check tells whether the locked file is the one that others would lock.
func (l *Lock) check() error {
	ours, err := l.file.Stat()
	if err != nil {
		return err
	}
	if theirs, err := os.Stat(l.file.Path()); err != nil || !os.SameFile(ours, theirs) {
		return fmt.Errorf("%w: %s", ErrLost, l.file.Path())
	}
	return nil
}
