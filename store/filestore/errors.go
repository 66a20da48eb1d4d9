package filestore

import (
	"errors"
	"fmt"
)

var (
	// ErrCorrupt says that a file isn't as this package wrote it. See
	// [CorruptError].
	ErrCorrupt = errors.New("filestore: corrupt file")
	// ErrVersion says that a file is of a version that this one doesn't know:
	// a newer program has written it.
	ErrVersion = errors.New("filestore: unknown version of the format")
)

// CorruptError names a file that isn't as this package wrote it, and the first
// line that is wrong, counted from 1, or 0 if it is the file as a whole. It
// matches [ErrCorrupt].
type CorruptError struct {
	Path   string
	Line   int
	Reason string
}

func (e *CorruptError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("filestore: %s is corrupt: %s", e.Path, e.Reason)
	}
	return fmt.Sprintf("filestore: %s is corrupt in line %d: %s", e.Path, e.Line, e.Reason)
}

// Is reports whether target is [ErrCorrupt].
func (e *CorruptError) Is(target error) bool { return target == ErrCorrupt }
