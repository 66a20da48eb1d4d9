package nodelock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/cmd/internal/format"
)

const (
	// patience is the longest wait for the clock, at the start and at the end.
	// A killed process leaves a bound that is up to window away.
	patience = 5 * time.Second
	// longestSleep bounds how late a step of the clock is noticed.
	longestSleep = 200 * time.Millisecond
)

// Folder is where the locks for one format are. Its fields are required.
type Folder struct {
	Path   string
	Format format.Format
	Clock  clock.Clock
	// Report is told about waits that a person would notice.
	Report func(message string)
}

// In returns the path of a format's folder below the user's cache folder.
func In(cache string, f format.Format) string {
	return filepath.Join(cache, "go-stamp", "nodes", f.Name())
}

// Take locks a node. It waits, until ctx ends, when the recorded bound is a few
// seconds ahead of the clock. The errors are [ErrHeld], [ErrAhead],
// [ErrRecord], ctx's, and those of the file system.
func (f Folder) Take(ctx context.Context, node uint64) (*Lock, error) {
	if err := makeFolder(f.Path); err != nil {
		return nil, err
	}
	l := &Lock{folder: f}
	path := filepath.Join(f.Path, fmt.Sprintf("node-%d", node))
	l.boundFile = path + ".bound"
	l.file = flock.New(path+".lock", flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	switch held, err := l.file.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("lock %s: %w", l.file.Path(), err)
	case !held:
		return nil, &HeldError{Node: node, File: l.file.Path()}
	}
	if err := l.start(ctx, node); err != nil {
		return nil, errors.Join(err, l.file.Close())
	}
	return l, nil
}

// TakeFree locks the first node that is free. A node whose bound is further
// ahead of the clock than Take waits for is passed over. The errors are
// [ErrNoFree] and those of Take but for ErrHeld and ErrAhead.
func (f Folder) TakeFree(ctx context.Context) (*Lock, error) {
	none := &NoFreeError{Folder: f.Path}
	for node := range f.Format.Layout.Nodes() {
		lock, err := f.Take(ctx, node)
		switch {
		case err == nil:
			return lock, nil
		case errors.Is(err, ErrHeld):
			none.Held++
		case errors.Is(err, ErrAhead):
			none.Ahead++
		default:
			return nil, err
		}
	}
	return nil, none
}

// await waits until the clock has reached a unit. It says whether it has: not
// when the unit is further away than patience.
func (f Folder) await(ctx context.Context, unit uint64, why string) (reached bool, now time.Time, err error) {
	begin := f.Format.Timescale.Time(unit)
	for told := false; ; told = true {
		r := f.Clock.Read()
		away := begin.Sub(r.Wall)
		if away <= 0 {
			return true, r.Wall, nil
		}
		if away > patience {
			return false, r.Wall, nil
		}
		if !told && away > longestSleep {
			f.Report(fmt.Sprintf("waiting %v: %s", away.Round(time.Millisecond), why))
		}
		if err := f.Clock.Sleep(ctx, r, min(away, longestSleep)); err != nil {
			return false, r.Wall, err
		}
	}
}
