package lease

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/store"
)

// Entry is what a store has about a number.
type Entry struct {
	Node uint64
	// Record is nil if there is none, or it can't be understood, for which Err is
	// the reason.
	Record *fence.Record
	// Left is for how long the lease lasts, by the store's time, unless it is
	// renewed; 0 if it has run out, and if the record is a fence's alone.
	Left time.Duration
	Err  error
}

// Free tells whether the number can be had.
func (e Entry) Free() bool {
	return e.Err == nil && (e.Record == nil || !e.Record.Held || e.Left == 0)
}

// List reads the records of the numbers first to last of a space, one after the
// other, and returns those that there are. The store need not be a
// [store.Expiring]. The error is the store's, with what was read before.
func List(ctx context.Context, records store.Records, space string, l bits.Layout, t bits.Timescale, first, last uint64) ([]Entry, error) {
	var entries []Entry
	format := fence.Format(l, t)
	for node := first; node <= last; node++ {
		e, err := list(ctx, records, space, format, node)
		if err != nil {
			return entries, err
		}
		if e.Record != nil || e.Err != nil {
			entries = append(entries, e)
		}
		if node == last { // which may be the highest number that there is
			break
		}
	}
	return entries, nil
}

// list looks at one record, of a store that may not tell times.
func list(ctx context.Context, records store.Records, space, format string, node uint64) (Entry, error) {
	key := fence.Key(space, format, node)
	if expiring, ok := records.(store.Expiring); ok {
		text, left, err := expiring.GetExpiring(ctx, key)
		if !errors.Is(err, errors.ErrUnsupported) { // a proxy's server may have none
			return entry(text, left, space, format, node), err
		}
	}
	text, err := records.Get(ctx, key)
	return entry(text, 0, space, format, node), err
}

// read looks at one record.
func (o Options) read(ctx context.Context, records store.Expiring, node uint64) (Entry, error) {
	text, left, err := records.GetExpiring(ctx, o.key(node))
	return entry(text, left, o.Space, fence.Format(o.Layout, o.timescale()), node), err
}

// entry is what a record says, or why it says nothing of this number.
func entry(text []byte, left time.Duration, space, format string, node uint64) Entry {
	e := Entry{Node: node, Left: left}
	if len(text) == 0 {
		return e
	}
	r, err := fence.Decode(text)
	if err == nil && (r.Space != space || r.Format != format || r.Node != node) {
		err = &fence.RecordError{Reason: fmt.Sprintf("it is for space %q, format %s, node %d", r.Space, r.Format, r.Node)}
	}
	if bad := (*fence.RecordError)(nil); errors.As(err, &bad) {
		bad.Key = fence.Key(space, format, node)
	}
	if e.Err = err; err == nil {
		e.Record = r
	}
	return e
}
