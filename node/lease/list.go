package lease

import (
	"context"
	"errors"
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
		e, err := read(ctx, records, fence.Key(space, format, node), node)
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

// read looks at one record.
func read(ctx context.Context, records store.Records, key store.Key, node uint64) (e Entry, err error) {
	e.Node = node
	var text []byte
	if expiring, ok := records.(store.Expiring); ok {
		text, e.Left, err = expiring.GetExpiring(ctx, key)
	} else {
		text, err = records.Get(ctx, key)
	}
	if err != nil || len(text) == 0 {
		return e, err
	}
	e.Record, e.Err = fence.Decode(text)
	if bad := (*fence.RecordError)(nil); errors.As(e.Err, &bad) {
		bad.Key = key
	}
	return e, nil
}
