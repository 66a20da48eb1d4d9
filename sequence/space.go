package sequence

import (
	"hash/maphash"
	"time"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/clock"
)

// MaxBatch is the largest number of ids that one call can claim.
const MaxBatch = 1 << 20

// The end of a layout's time is reported this long before it comes.
const expiryWarning = 2 * 365 * 24 * time.Hour

// Space is a registry's sequences with the same settings. It is safe for
// concurrent use.
type Space struct {
	registry *Registry
	settings Settings
	system   *clock.System // the settings' clock, if it is one

	maxNode, maxPartition uint64
	bounded               bool   // there is a limit of being ahead
	waits                 bool   // for the clock, at that limit
	maxAhead              uint64 // in units, when bounded
	maxBatch              int
	spread                uint64    // how many numbers a unit may begin at
	end                   time.Time // of the layout
	warnAt                int64     // unit from which the end is reported
}

func newSpace(r *Registry, s Settings) *Space {
	sp := &Space{
		registry: r, settings: s,
		maxNode: s.Layout.MaxNode(), maxPartition: s.Layout.MaxPartition(),
		bounded:  s.AheadPolicy != Advance || s.Fence != nil,
		waits:    s.AheadPolicy != Fail,
		maxAhead: uint64(s.MaxAhead / s.Timescale.Unit),
		maxBatch: MaxBatch,
		end:      s.Timescale.End(s.Layout),
	}
	if s.Fence != nil && s.AheadPolicy == Advance {
		advance, _ := s.Fence.MaxAhead()
		sp.maxAhead = uint64(advance / s.Timescale.Unit)
	}
	if s.Start == Spread {
		sp.spread = min(maxSpread, s.Layout.IDsPerUnit()/4)
	}
	sp.system, _ = s.Clock.(*clock.System)
	sp.warnAt = s.Timescale.Units(sp.end.Add(-expiryWarning))
	if capacity := s.Layout.IDsPerUnit(); sp.bounded && (sp.maxAhead+1) < MaxBatch/min(capacity, MaxBatch) {
		sp.maxBatch = int((sp.maxAhead + 1) * capacity)
	}
	return sp
}

// Settings returns what the space was made with, its epoch in UTC.
func (sp *Space) Settings() Settings { return sp.settings }

// Sequence finds or makes a sequence. It returns a *bits.ValueError for a node
// or partition that the layout has no room for, [ErrNoID] for an empty id, a
// *[ConflictError] when the id is in use with other settings, and a
// *[FenceConflictError], or an error of the fence, when that can't be used.
func (sp *Space) Sequence(id string, node, partition uint64) (*Sequence, error) {
	if err := sp.checkNode(node); err != nil {
		return nil, err
	}
	if partition > sp.maxPartition {
		return nil, &bits.ValueError{Field: "partition", Value: partition, Max: sp.maxPartition}
	}
	r := sp.registry
	if e := r.entries.get(maphash.String(r.seed, id), id); e != nil && e.space == sp {
		if q := e.find(sp.base(node, partition)); q != nil {
			return q, nil
		}
	}
	return r.open(sp, id, node, partition)
}

func (sp *Space) checkNode(node uint64) error {
	if node > sp.maxNode {
		return &bits.ValueError{Field: "node", Value: node, Max: sp.maxNode}
	}
	return nil
}

// Check returns the error that every use of a sequence id in this space would
// have: [ErrNoID], or a *[ConflictError] while the id is in use with other
// settings.
func (sp *Space) Check(id string) error {
	if id == "" {
		return ErrNoID
	}
	r := sp.registry
	if e := r.entries.get(maphash.String(r.seed, id), id); e != nil && e.space != sp {
		return &ConflictError{SequenceID: id, InUse: e.space.settings, Asked: sp.settings}
	}
	return nil
}

// base is node and partition in their places within an id.
func (sp *Space) base(node, partition uint64) uint64 {
	l := &sp.settings.Layout
	return partition<<(l.Time+l.Node+l.Sequence) | node<<l.Sequence
}
