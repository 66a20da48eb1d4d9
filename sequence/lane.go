package sequence

import (
	"sync/atomic"

	"github.com/stampid/go-stamp/bits"
)

// lane is what all sequences of one layout, timescale and node share, whatever
// their ids, partitions, clocks and limits.
type lane struct {
	// ceiling is the first word that may not be given out. It is read after
	// each claim, so lowering it stops all sequences of the lane at once.
	ceiling atomic.Uint64
	// floor is where the highest dropped sequence stood.
	floor atomic.Uint64
	// warned is set once the coming end of the layout's time was reported.
	warned atomic.Bool
}

type laneKey struct {
	layout    bits.Layout
	timescale bits.Timescale
	node      uint64
}

// lane finds or makes a lane. The registry is locked.
func (r *Registry) lane(s *Settings, node uint64) *lane {
	key := laneKey{s.Layout, s.Timescale, node}
	l := r.lanes[key]
	if l == nil {
		l = new(lane)
		l.ceiling.Store((s.Layout.MaxTime() + 1) << s.Layout.Sequence)
		r.lanes[key] = l
	}
	return l
}
