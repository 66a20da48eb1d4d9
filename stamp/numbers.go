package stamp

import (
	"context"
	"slices"
	"time"

	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/segment"
)

// numbers are those of one segment generator, and where they go in an id.
type numbers struct {
	from         *segment.Generator
	base         uint64    // the partition in its place
	limit        uint64    // the largest sequence number
	calendar     *calendar // nil without time bits
	sequenceBits uint8
	supply       *supply
	partition    uint64
}

// try returns the next id if there is a number at hand that makes one, else 0.
func (n *numbers) try() ID {
	if n.calendar != nil {
		return n.tryDated()
	}
	// 0 and what is above the limit are no sequence numbers; next says why.
	if v := uint64(n.from.TryNext()); v-1 < n.limit {
		return ID(n.base | v)
	}
	return 0
}

func (n *numbers) tryDated() ID {
	v := n.from.TryNextGrouped()
	day := uint64(v.Day - n.calendar.epoch) // above the limit before the epoch
	if uint64(v.Value)-1 < n.limit && day <= n.calendar.limit {
		return ID(n.base | day<<n.sequenceBits | uint64(v.Value))
	}
	return 0
}

// next makes an id, and waits for numbers if there are none. Without a context
// it does so for timeout at most.
func (n *numbers) next(ctx context.Context, timeout time.Duration) (ID, error) {
	if n.supply.single != nil {
		return 0, n.supply.single
	}
	if ctx == noContext {
		if id := n.try(); id != 0 {
			return id, nil
		}
		p := &patience{timeout: timeout}
		defer p.end()
		ctx = p
	}
	if n.calendar == nil {
		v, err := n.from.Next(ctx)
		if err != nil {
			return 0, err
		}
		return n.pack(segment.Grouped{Value: v})
	}
	v, err := n.from.NextGrouped(ctx)
	if err != nil {
		return 0, err
	}
	return n.pack(v)
}

// nextGrouped is next for ids with their group.
func (n *numbers) nextGrouped(ctx context.Context, timeout time.Duration) (Grouped, error) {
	if !n.supply.grouped() {
		return Grouped{}, ungrouped(n.supply.id)
	}
	var v segment.Grouped
	if ctx == noContext {
		if v = n.from.TryNextGrouped(); v.Value == 0 {
			p := &patience{timeout: timeout}
			defer p.end()
			ctx = p
		}
	}
	if v.Value == 0 {
		var err error
		if v, err = n.from.NextGrouped(ctx); err != nil {
			return Grouped{}, err
		}
	}
	id, err := n.pack(v)
	if err != nil {
		return Grouped{}, err
	}
	return Grouped{ID: id, Group: v.Group, Day: v.Day}, nil
}

// pack makes an id of a number.
func (n *numbers) pack(v segment.Grouped) (ID, error) {
	day, err := n.day(v.Group, v.Day)
	if err != nil {
		return 0, err
	}
	if uint64(v.Value)-1 >= n.limit {
		return 0, n.exhausted(v.Group, v.Value)
	}
	return ID(n.base | day | uint64(v.Value)), nil
}

// day is a group's first day in its place.
func (n *numbers) day(group string, day int64) (uint64, error) {
	if n.calendar == nil {
		return 0, nil
	}
	switch units := day - n.calendar.epoch; {
	case units < 0:
		return 0, n.supply.beforeEpoch(group, day)
	case uint64(units) > n.calendar.limit:
		return 0, n.supply.afterEnd(group)
	default:
		return uint64(units) << n.sequenceBits, nil
	}
}

// take claims up to count numbers of one group: fit of them, from the id first
// on, are given out. Those that no sequence holds are lost, and err says so.
func (n *numbers) take(ctx context.Context, count int) (r segment.Run, first ID, fit int, err error) {
	if r, err = n.from.Take(ctx, count); err != nil {
		return r, 0, 0, err
	}
	day, err := n.day(r.Group, r.Day)
	if err != nil {
		return r, 0, 0, err
	}
	fit = r.Len()
	if uint64(r.Last) > n.limit {
		fit = int(max(int64(n.limit)-r.First+1, 0))
		err = n.exhausted(r.Group, r.First+int64(fit))
	}
	return r, ID(n.base | day | uint64(r.First)), fit, err
}

// append claims count ids and appends what it gets to dst.
func (n *numbers) append(ctx context.Context, dst []ID, count int, timeout time.Duration) ([]ID, error) {
	if n.supply.single != nil {
		return dst, n.supply.single
	}
	if err := checkBatch(count); err != nil {
		return dst, err
	}
	if ctx == noContext {
		p := &patience{timeout: timeout}
		defer p.end()
		ctx = p
	}
	dst = slices.Grow(dst, count)
	for count > 0 {
		_, first, fit, err := n.take(ctx, count)
		at := len(dst)
		dst = dst[:at+fit]
		for i := range dst[at:] {
			dst[at+i] = first + ID(i)
		}
		if err != nil {
			return dst, err
		}
		count -= fit
	}
	return dst, nil
}

// appendGrouped is append for ids with their groups.
func (n *numbers) appendGrouped(ctx context.Context, dst []Grouped, count int, timeout time.Duration) ([]Grouped, error) {
	if !n.supply.grouped() {
		return dst, ungrouped(n.supply.id)
	}
	if err := checkBatch(count); err != nil {
		return dst, err
	}
	if ctx == noContext {
		p := &patience{timeout: timeout}
		defer p.end()
		ctx = p
	}
	dst = slices.Grow(dst, count)
	for count > 0 {
		r, first, fit, err := n.take(ctx, count)
		for i := range fit {
			dst = append(dst, Grouped{ID: first + ID(i), Group: r.Group, Day: r.Day})
		}
		if err != nil {
			return dst, err
		}
		count -= fit
	}
	return dst, nil
}

func checkBatch(count int) error {
	if count < 1 || count > segment.MaxBatch {
		return &sequence.BatchError{N: count, Max: segment.MaxBatch}
	}
	return nil
}
