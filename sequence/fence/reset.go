package fence

import (
	"context"
	"errors"
	"fmt"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/store"
)

// ResetOwner is the owner that [Reset] writes.
const ResetOwner = "reset by hand"

// Reset is an operator's act: it makes bound the bound of a node's record, whatever
// it was, and the record nobody's. Shown is the text of the record that the operator
// decided on, also one that can't be read. If the record is another one by now, it
// is [store.ErrConflict], and nothing is changed.
//
// Whoever holds the record finds it lost at its next renewal, and makes ids below
// its own bound until then. So before a reset, every process that makes ids of the
// space with this node must be stopped; and no id of theirs may have a time of bound
// or later, since it would be made again. Neither can be checked here.
//
// A record in a folder keeps its place; one that can't be read has none any more, and
// takes [Options].Adopt.
//
// A bound beyond the end of the layout's time is an error that matches [ErrOptions],
// and so is a node that it has no place for.
func Reset(ctx context.Context, records store.Records, space string, l bits.Layout, t bits.Timescale, node uint64, shown []byte, bound uint64) (Record, error) {
	switch {
	case bound > l.MaxTime()+1:
		return Record{}, fmt.Errorf("%w: bound %d, want at most %d", ErrOptions, bound, l.MaxTime()+1)
	case node > l.MaxNode():
		return Record{}, fmt.Errorf("%w: node %d, want at most %d", ErrOptions, node, l.MaxNode())
	case len(shown) == 0:
		return Record{}, fmt.Errorf("%w: no record to reset", ErrOptions)
	}
	token, err := NewToken()
	if err != nil {
		return Record{}, err
	}
	next := Record{
		Space: space, Format: Format(l, t), Node: node, Owner: ResetOwner, Token: token,
		Floor: bound, Bound: bound, Expires: scale{timescale: t}.expires(bound),
	}
	if found, err := Decode(shown); err == nil {
		next.Place = found.Place
	}
	text, err := next.Encode()
	if err != nil {
		return Record{}, err
	}
	key := Key(space, next.Format, node)
	err = records.CompareAndSet(ctx, key, shown, text)
	if errors.Is(err, store.ErrUnknownOutcome) || errors.Is(err, store.ErrConflict) {
		// It may have been written, perhaps twice by something below.
		if now, unread := records.Get(ctx, key); unread == nil && string(now) == string(text) {
			err = nil
		}
	}
	return next, err
}
