package stamp

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/sequence"
)

// Errors of configurations with a Source.
var (
	// ErrSource: the generator of a sequence id doesn't fit the configuration.
	// See [SourceError] and [ZoneError].
	ErrSource = errors.New("stamp: generator doesn't fit the configuration")
	// ErrSequenceExhausted: a number is above the largest that the layout's
	// sequence bits hold. See [SequenceExhaustedError].
	ErrSequenceExhausted = errors.New("stamp: sequence numbers exhausted")
	// ErrUngrouped: ids with their groups were asked for where there are no
	// groups.
	ErrUngrouped = errors.New("stamp: ids without groups")
	// ErrNoTime: the layout has no time bits, so ids don't tell a time.
	ErrNoTime = errors.New("stamp: layout without time bits")
	// ErrNoClock: NextAt was asked for an id that no clock drives.
	ErrNoClock = errors.New("stamp: ids are not driven by a clock")
)

// SourceError says why no ids can be made of a generator's numbers with a
// layout. It matches [ErrSource].
type SourceError struct {
	SequenceID string
	Layout     Layout
	Reason     string
}

func (e *SourceError) Error() string {
	return fmt.Sprintf("stamp: %q doesn't fit layout %v with %d time bits: %s",
		e.SequenceID, e.Layout, e.Layout.Time, e.Reason)
}

// Is reports whether target is [ErrSource].
func (e *SourceError) Is(target error) bool { return target == ErrSource }

// ZoneError says that a generator begins its groups in another zone than that
// of Options.Zone. It matches [ErrSource].
type ZoneError struct {
	SequenceID        string
	Generator, Config *time.Location
}

func (e *ZoneError) Error() string {
	return fmt.Sprintf("stamp: groups of %q are in zone %v, Options.Zone is %v", e.SequenceID, e.Generator, e.Config)
}

// Is reports whether target is [ErrSource].
func (e *ZoneError) Is(target error) bool { return target == ErrSource }

// GroupedError says that an id without its group was asked for, while the
// layout has no time bits to hold the group. It matches [ErrGrouped].
type GroupedError struct {
	SequenceID string
	Layout     Layout
}

func (e *GroupedError) Error() string {
	return fmt.Sprintf("stamp: numbers of %q begin anew in each group, which layout %v has no time bits for: its ids need their group, see NextGrouped",
		e.SequenceID, e.Layout)
}

// Is reports whether target is [ErrGrouped].
func (e *GroupedError) Is(target error) bool { return target == ErrGrouped }

// SequenceExhaustedError matches [ErrSequenceExhausted] and [ErrOutOfRange]. The
// number is lost. Later calls go on from there, so they succeed again in a new
// group only.
type SequenceExhaustedError struct {
	SequenceID string
	Partition  uint64 // 0 without partition bits
	Group      string // empty without groups
	Value, Max uint64
}

func (e *SequenceExhaustedError) Error() string {
	var in strings.Builder
	if e.Partition > 0 {
		fmt.Fprintf(&in, " in partition %d", e.Partition)
	}
	if e.Group != "" {
		fmt.Fprintf(&in, " in group %q", e.Group)
	}
	return fmt.Sprintf("stamp: number %d of %q%s is above the largest sequence number, %d", e.Value, e.SequenceID, in.String(), e.Max)
}

// Is reports whether target is [ErrSequenceExhausted].
func (e *SequenceExhaustedError) Is(target error) bool { return target == ErrSequenceExhausted }

// Unwrap returns the value and its bound.
func (e *SequenceExhaustedError) Unwrap() error {
	return &bits.ValueError{Field: "sequence", Value: e.Value, Max: e.Max}
}

// SourceConflictError is that of a sequence id for which another configuration
// takes numbers from the same provider, with other settings. It matches
// [ErrConflict].
type SourceConflictError struct {
	SequenceID   string
	InUse, Asked SourceSettings
}

func (e *SourceConflictError) Error() string {
	var list []string
	differ := func(field string, a, b any) {
		if a != b {
			list = append(list, fmt.Sprintf("%s %v and %v", field, a, b))
		}
	}
	differ("layout", e.InUse.Layout, e.Asked.Layout)
	differ("epoch", e.InUse.epoch(), e.Asked.epoch())
	if a, b := e.InUse.Zone, e.Asked.Zone; a != nil && b != nil && !sameZone(a, b) {
		// Zones of one name are told apart by their offset at the epoch.
		list = append(list, fmt.Sprintf("zone %s and %s", e.InUse.zone(), e.Asked.zone()))
	}
	return fmt.Sprintf("stamp: %q is in use with other settings (in use and asked for): %s", e.SequenceID, strings.Join(list, ", "))
}

// Is reports whether target is [ErrConflict].
func (e *SourceConflictError) Is(target error) bool { return target == ErrConflict }

func (s *SourceSettings) epoch() string {
	if s.Layout.Time == 0 {
		return "none"
	}
	return s.Epoch.In(s.Zone).Format(time.DateOnly)
}

func (s *SourceSettings) zone() string {
	return fmt.Sprintf("%v (%s)", s.Zone, s.Epoch.In(s.Zone).Format("-07:00"))
}

func (n *numbers) exhausted(group string, value int64) error {
	return &SequenceExhaustedError{
		SequenceID: n.supply.id, Partition: n.partition, Group: group, Value: uint64(value), Max: n.limit,
	}
}

func (u *supply) beforeEpoch(group string, day int64) error {
	c := u.source.calendar
	return fmt.Errorf("stamp: group %q: %w", group, &sequence.BeforeEpochError{
		SequenceID: u.id, Time: c.begin(day), Epoch: c.begin(c.epoch),
	})
}

func (u *supply) afterEnd(group string) error {
	return fmt.Errorf("stamp: group %q: %w", group, &sequence.TimeExhaustedError{
		SequenceID: u.id, End: u.source.calendar.end(),
	})
}

func ungrouped(id string) error { return fmt.Errorf("%w: %q", ErrUngrouped, id) }
