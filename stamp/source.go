package stamp

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/sequence/segment"
)

// source is a segment provider as a configuration sees it.
type source struct {
	provider *segment.Provider
	layout   Layout
	calendar *calendar          // of the time field; nil without time bits
	supplies map[string]*supply // by the names of the provider's generators; doesn't change
	settings *SourceSettings
}

// supply is what a configuration makes of one name's generators, those of all
// partitions.
type supply struct {
	source *source
	id     string
	group  segment.Group
	// unfit is why no id can be made, and single why none without its group.
	unfit, single error
	// used is set once the provider knows of this use of the name.
	used atomic.Bool
}

func newSource(o *Options) *source {
	s := &source{
		provider: o.Source, layout: o.Layout, supplies: map[string]*supply{},
		settings: &SourceSettings{Layout: o.Layout},
	}
	if o.Layout.Time > 0 {
		zone := zoneOrUTC(o.Zone)
		s.settings.Epoch, s.settings.Zone = o.Epoch, zone
		s.calendar = &calendar{zone: zone, epoch: dayOf(o.Epoch, zone), limit: o.Layout.MaxTime()}
	}
	for _, name := range s.provider.Names() {
		g, err := s.provider.Generator(name)
		if err != nil {
			continue // Names lists those that there are
		}
		s.supplies[name] = s.newSupply(name, g.Options().Group)
	}
	return s
}

func (s *source) newSupply(id string, group segment.Group) *supply {
	u := &supply{source: s, id: id, group: group}
	unfit := func(format string, args ...any) {
		u.unfit = &SourceError{SequenceID: id, Layout: s.layout, Reason: fmt.Sprintf(format, args...)}
	}
	switch dated := s.calendar != nil; {
	case dated && group.Func != nil:
		unfit("its groups are those of a function, and can't be in time bits")
	case dated && group.Period == segment.NoPeriod:
		unfit("its numbers have no group for the time bits")
	case dated && !sameZone(zoneOrUTC(group.Zone), s.calendar.zone):
		u.unfit = &ZoneError{SequenceID: id, Generator: zoneOrUTC(group.Zone), Config: s.calendar.zone}
	case !dated && u.grouped():
		u.single = &GroupedError{SequenceID: id, Layout: s.layout}
	}
	return u
}

// grouped tells whether numbers begin anew in each group.
func (u *supply) grouped() bool { return u.group.Func != nil || u.group.Period != segment.NoPeriod }

// find returns what there is to make ids of, without using it.
func (s *source) find(id string) (*supply, error) {
	if id == "" {
		return nil, ErrNoID
	}
	u := s.supplies[id]
	if u == nil {
		return nil, &segment.UnknownNameError{Name: id, Known: s.provider.Names()}
	}
	return u, u.unfit
}

// use is find for those who make ids. A name is used in one way: the second is
// refused.
func (s *source) use(id string) (*supply, error) {
	u, err := s.find(id)
	if err != nil || u.used.Load() {
		return u, err
	}
	recorded, err := s.provider.Use(id, s.settings)
	if err != nil {
		return nil, err
	}
	inUse, ok := recorded.(*SourceSettings)
	if !ok {
		return nil, fmt.Errorf("stamp: %w: %q is in use as %T", ErrConflict, id, recorded)
	}
	if !inUse.equal(s.settings) {
		return nil, &SourceConflictError{SequenceID: id, InUse: *inUse, Asked: *s.settings}
	}
	u.used.Store(true)
	return u, nil
}

// numbers finds the numbers of a sequence id in a partition.
func (s *source) numbers(id string, partition uint64) (numbers, error) {
	u, err := s.use(id)
	if err != nil {
		return numbers{}, err
	}
	if limit := s.layout.MaxPartition(); partition > limit {
		return numbers{}, &bits.ValueError{Field: "partition", Value: partition, Max: limit}
	}
	var from *segment.Generator
	if s.layout.Partition > 0 {
		from, err = s.provider.Partition(id, partition)
	} else {
		from, err = s.provider.Generator(id)
	}
	if err != nil {
		return numbers{}, err
	}
	return numbers{
		from: from, supply: u, calendar: s.calendar, partition: partition,
		base:         partition << (s.layout.Time + s.layout.Sequence),
		limit:        s.layout.MaxSequence(),
		sequenceBits: uint8(s.layout.Sequence),
	}, nil
}

// end is the first instant that the time field can't express, zero without one.
func (s *source) end() time.Time {
	if s.calendar == nil {
		return time.Time{}
	}
	return s.calendar.end()
}

// time is the instant that a time field stands for.
func (s *source) time(field uint64) (time.Time, error) {
	if s.calendar == nil {
		return time.Time{}, fmt.Errorf("%w: %v", ErrNoTime, s.layout)
	}
	return s.calendar.begin(s.calendar.epoch + int64(field)), nil
}

// SourceSettings are what all users of a sequence id must agree on that has its
// numbers from one provider. Epoch and Zone are zero without time bits.
type SourceSettings struct {
	Layout Layout
	Epoch  time.Time // its date in Zone is what counts
	Zone   *time.Location
}

func (s *SourceSettings) equal(o *SourceSettings) bool {
	if s.Layout != o.Layout {
		return false
	}
	return s.Layout.Time == 0 || sameZone(s.Zone, o.Zone) && dayOf(s.Epoch, s.Zone) == dayOf(o.Epoch, o.Zone)
}
