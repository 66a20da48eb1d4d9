package segment

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/stampid/go-stamp/store"
)

var (
	// ErrOptions is matched by errors about options that no generator or
	// provider can have.
	ErrOptions = errors.New("segment: invalid options")
	// ErrFetch says that a fetch of numbers failed. See [FetchError].
	ErrFetch = errors.New("segment: fetch failed")
	// ErrBackoff says that there are no numbers and that it is too early to
	// ask the store again. See [BackoffError].
	ErrBackoff = errors.New("segment: waiting before the next fetch")
	// ErrRolledBack says that the store lost counts that it had given out. See
	// [RolledBackError].
	ErrRolledBack = errors.New("segment: store was rolled back")
	// ErrBatch says that a batch is too small or too large. See [BatchError].
	ErrBatch = errors.New("segment: batch size out of range")
	// ErrGrouped says that a value without its group was asked for. The values
	// of a grouped generator are only unique within their group.
	ErrGrouped = errors.New("segment: grouped generator, its values need their group")
	// ErrGroup says that a group function returned no usable name.
	ErrGroup = errors.New("segment: invalid group")
	// ErrUnknownName says that a provider has no generator of that name. See
	// [UnknownNameError].
	ErrUnknownName = errors.New("segment: unknown generator")
	// ErrReply says that a store's answer can't be true.
	ErrReply = errors.New("segment: impossible answer of the store")
	// ErrRecovery says that a recovery lacks what makes it safe.
	ErrRecovery = errors.New("segment: recovery refused")
)

// FetchError matches [ErrFetch] and what the store returned. With
// [store.ErrUnknownOutcome] a range may have been reserved; it is lost.
type FetchError struct {
	Counter store.Key
	N       int64 // numbers that were asked for
	Err     error
}

func (e *FetchError) Error() string {
	return fmt.Sprintf("segment: fetching %d numbers of %q: %v", e.N, e.Counter, e.Err)
}

// Is reports whether target is [ErrFetch].
func (e *FetchError) Is(target error) bool { return target == ErrFetch }

// Unwrap returns Err.
func (e *FetchError) Unwrap() error { return e.Err }

// BackoffError matches [ErrBackoff] and the last fetch's error.
type BackoffError struct {
	Next time.Time // when the next fetch may start
	Err  error     // of the last one
}

func (e *BackoffError) Error() string {
	return fmt.Sprintf("segment: no numbers before the next attempt at %s: %v",
		e.Next.UTC().Format(time.RFC3339Nano), e.Err)
}

// Is reports whether target is [ErrBackoff].
func (e *BackoffError) Is(target error) bool { return target == ErrBackoff }

// Unwrap returns Err.
func (e *BackoffError) Unwrap() error { return e.Err }

// RolledBackError matches [ErrRolledBack].
type RolledBackError struct {
	Counter store.Key
	Mark    int64 // the largest number known to be reserved
	Store   int64 // where the store's counter stood; 0 when it was missing
	Missing bool  // the store had no such counter
}

func (e *RolledBackError) Error() string {
	if e.Missing {
		return fmt.Sprintf("segment: store was rolled back: counter %q is missing, numbers up to %d are in use", e.Counter, e.Mark)
	}
	return fmt.Sprintf("segment: store was rolled back: counter %q stood at %d, numbers up to %d are in use", e.Counter, e.Store, e.Mark)
}

// Is reports whether target is [ErrRolledBack].
func (e *RolledBackError) Is(target error) bool { return target == ErrRolledBack }

// BatchError matches [ErrBatch].
type BatchError struct {
	N, Max int // asked for; the largest possible
}

func (e *BatchError) Error() string {
	return fmt.Sprintf("segment: batch of %d ids, want 1 to %d", e.N, e.Max)
}

// Is reports whether target is [ErrBatch].
func (e *BatchError) Is(target error) bool { return target == ErrBatch }

// UnknownNameError matches [ErrUnknownName].
type UnknownNameError struct {
	Name  string
	Known []string // what there is, in order
}

func (e *UnknownNameError) Error() string {
	return fmt.Sprintf("segment: unknown generator %q, there are: %s", e.Name, strings.Join(e.Known, ", "))
}

// Is reports whether target is [ErrUnknownName].
func (e *UnknownNameError) Is(target error) bool { return target == ErrUnknownName }
