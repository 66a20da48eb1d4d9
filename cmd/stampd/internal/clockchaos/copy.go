package clockchaos

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/cmd/stampd/internal/faults"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store/filestore"
)

// useCopy copies the folder of a fence, as it is now, to a place in temporary, and
// tries to make an id with it. That must be refused.
func useCopy(ctx context.Context, folder, temporary string) (err error) {
	t := Task{Node: posts("file")[0].node, Fence: Fence{Cap: farCap, Start: fence.BeginAtBound}}
	copied, err := copyFolder(folder, temporary)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(copied)) }()
	records, err := filestore.New(copied)
	if err != nil {
		return err
	}
	text, err := records.Get(ctx, fence.Key(space, fence.Format(layout(), timescale()), t.Node))
	if err != nil {
		return err
	}
	if text == nil {
		return faults.ErrMissed // the node wasn't used yet
	}
	t.Store = "file://" + copied
	p, err := openPlace(ctx, t, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	h, err := newHolder(t, clock.Default(), 0, p)
	if err != nil {
		return err
	}
	if id, err := h.generators[0].NextContext(ctx); !errors.Is(err, stamp.ErrFenceCopied) {
		return fmt.Errorf("a copy of the folder gave id %d, error %w, want %w", id, err, stamp.ErrFenceCopied)
	}
	return nil
}

// copyFolder copies what a fence keeps in a folder into a new one in temporary.
func copyFolder(folder, temporary string) (string, error) {
	copied, err := os.MkdirTemp(temporary, "copy-")
	if err != nil {
		return "", err
	}
	for _, name := range []string{"counters.txt", "counters.lock"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(copied, name), text, 0o600)
		}
		if errors.Is(err, os.ErrNotExist) {
			err = faults.ErrMissed
		}
		if err != nil {
			return "", errors.Join(err, os.RemoveAll(copied))
		}
	}
	return copied, nil
}
