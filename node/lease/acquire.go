package lease

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"time"

	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/store"
)

// longestPause is how long a process waits before it looks again whether another
// one of its name still lives.
const longestPause = time.Second

// Acquire takes a free number from records, and keeps it until Close.
//
// If all are taken, that is a *[NoFreeNodeError]. While another process of the same
// name lives, it waits for that to end, and fails with a *fence.HeldError when ctx
// does. Other errors match [ErrOptions], or are those of the store and of
// fence.Reserve.
func Acquire(ctx context.Context, records store.Records, o Options) (*Lease, error) {
	o = o.normal()
	if err := o.validate(); err != nil {
		return nil, err
	}
	f, err := fence.New(records, o.fence())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOptions, err)
	}
	return acquire(ctx, records, f, o)
}

// File is Acquire in a folder of this machine, which must exist: its processes get
// different numbers. A folder that was copied, restored or moved is refused, as
// by [fence.File].
func File(ctx context.Context, folder string, o Options) (*Lease, error) {
	o = o.normal()
	if err := o.validate(); err != nil {
		return nil, err
	}
	f, err := fence.File(folder, o.fence())
	if err != nil {
		return nil, err
	}
	return acquire(ctx, f.Records(), f, o)
}

func acquire(ctx context.Context, records store.Records, f *fence.Fence, o Options) (*Lease, error) {
	expiring := records.(store.Expiring) // or there would be no fence with a TTL
	for {
		found, err := search(ctx, expiring, o)
		if err != nil {
			return nil, err
		}
		r, err := f.Reserve(ctx, o.Layout, o.timescale(), found.Node, found.unchanged)
		switch {
		case errors.Is(err, errTaken):
			continue
		case err != nil:
			return nil, err
		}
		return newLease(f, r, found.Node, o), nil
	}
}

// unchanged refuses a record that isn't the one that was seen.
func (e Entry) unchanged(now *fence.Record) error {
	was := e.Record
	if (was == nil) != (now == nil) || was != nil && (was.Token != now.Token || was.Held != now.Held || was.Bound != now.Bound || !was.Expires.Equal(now.Expires)) {
		return errTaken
	}
	return nil
}

// search finds the number to take: for a name the one that it had, and else the
// first free one.
//
// Names are found again by the rule of a hash table: a name's numbers are looked
// at from its hash on, and no record is ever removed, so one that never was ends
// the search.
func search(ctx context.Context, expiring store.Expiring, o Options) (Entry, error) {
	count := o.Last - o.First + 1
	begin := rand.Uint64()
	if o.Name != "" {
		hash := fnv.New64a()
		_, _ = hash.Write([]byte(o.Name))
		begin = hash.Sum64()
	}
	var free *Entry
	var taken []Entry
	var waited error // for a process of the same name
	for i := uint64(0); i < count; i++ {
		number := o.First + (begin%count+i)%count
		e, err := o.read(ctx, expiring, number)
		if err != nil {
			return Entry{}, errors.Join(err, waited)
		}
		mine := o.Name != "" && e.Record != nil && e.Record.Owner == o.Name
		switch {
		case mine && !e.Free():
			waited = &fence.HeldError{Key: o.key(number), Owner: o.Name, Expires: e.Record.Expires}
			if err := pause(ctx, e.Left); err != nil {
				return Entry{}, errors.Join(err, waited)
			}
			i-- // look again
			continue
		case mine:
			return e, nil
		case e.Free():
			if free == nil {
				free = &e
			}
			if o.Name == "" || e.Record == nil {
				return *free, nil
			}
		case e.Err == nil:
			taken = append(taken, e)
		}
	}
	if free != nil {
		return *free, nil
	}
	return Entry{}, &NoFreeNodeError{Space: o.Space, First: o.First, Last: o.Last, Holders: taken}
}

// pause waits until a lease may have run out.
func pause(ctx context.Context, left time.Duration) error {
	timer := time.NewTimer(min(left+time.Millisecond, longestPause))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
