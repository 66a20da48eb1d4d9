package fence

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/store"
)

// Reservation is a record that was taken to have its node number, before there
// are ids of it. The fence goes on with it at the first id. It is safe for
// concurrent use.
type Reservation struct {
	fence *Fence
	key   store.Key
	prior prior // but for its holder

	turn   chan struct{} // has room for the one that uses holder
	holder *Holder

	mu     sync.Mutex // not held over I/O
	ready  bool       // the record is taken
	ended  bool       // it is given back
	record Record     // as last seen
	guard  *guard     // once there is a lane
}

// prior is what a guard goes on from.
type prior struct {
	holder *Holder
	bound  uint64 // that an earlier owner left
	owner  string
}

// Reserve takes the record of a node, for which may decides on what is found, nil
// if there is no record: its error is that of Reserve, and leaves the record as
// it is. The bound stays where it is, and no id is made before the fence has
// raised it. Fence.Close gives the record back.
//
// Other errors are those of the store, a *[CopiedError], a *[RecordError],
// [ErrStopped], and [ErrHeld] if this fence has the record already.
func (f *Fence) Reserve(ctx context.Context, l bits.Layout, t bits.Timescale, node uint64, may func(found *Record) error) (*Reservation, error) {
	token, err := NewToken()
	if err != nil {
		return nil, err
	}
	key := guardKey{Format(l, t), node}
	r := &Reservation{fence: f, key: Key(f.options.Space, key.format, node), turn: make(chan struct{}, 1)}
	r.holder = NewHolder(f.records, r.key, token)
	r.turn <- struct{}{}
	if err := f.claim(key, r); err != nil {
		return nil, err
	}
	err = r.holder.Take(ctx, func(found *Record) (Record, error) {
		if err := f.place.check(found); err != nil {
			return Record{}, err
		}
		if err := may(found); err != nil {
			return Record{}, err
		}
		next := Record{
			Space: f.options.Space, Format: key.format, Node: node, Owner: f.options.Owner,
			Expires: time.Now().Add(f.options.TTL), Place: f.place.text(),
		}
		r.prior = prior{owner: "nobody"}
		if found != nil {
			next.Bound = found.Bound
			r.prior = prior{bound: found.Bound, owner: found.Owner}
		}
		return next, nil
	})
	kept := err == nil && f.keep(r)
	<-r.turn
	if kept {
		return r, nil
	}
	f.forget(key)
	if err == nil {
		err = ErrStopped
	}
	// It may have been written, and nobody would keep it.
	return nil, errors.Join(err, r.release(context.WithoutCancel(ctx)))
}

// claim makes r the one reservation of a record, before it is taken.
func (f *Fence) claim(key guardKey, r *Reservation) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.closed:
		return ErrStopped
	case f.guards[key] != nil, f.reserved[key] != nil:
		return fmt.Errorf("%w: record %s, by this fence", ErrHeld, r.key)
	}
	f.reserved[key] = r
	return nil
}

// keep leaves a reservation that holds its record to the lane to come, unless the
// fence was closed meanwhile.
func (f *Fence) keep(r *Reservation) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.record, r.ready = r.holder.Held()
	return !f.closed
}

func (f *Fence) forget(key guardKey) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.reserved, key)
}

// Keep makes the record live on, until the fence does that with its bound: then
// done is set, as it is with a *[LostError]. After any other error the record may
// live on or not.
func (r *Reservation) Keep(ctx context.Context) (done bool, err error) {
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	if r.isEnded() {
		return true, ErrStopped
	}
	if r.isHandedOver() {
		return true, nil
	}
	err = r.holder.Renew(ctx, func(record *Record) { record.Expires = time.Now().Add(r.fence.options.TTL) })
	if errors.Is(err, ErrLost) {
		return true, err
	}
	if record, held := r.holder.Held(); held && err == nil {
		r.mu.Lock()
		r.record = record
		r.mu.Unlock()
	}
	return false, err
}

func (r *Reservation) isEnded() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended
}

// isHandedOver tells whether the fence keeps the record by now. Before that, both
// may write it: they are one owner, and notice the other's writes as their own.
func (r *Reservation) isHandedOver() bool {
	r.mu.Lock()
	g := r.guard
	r.mu.Unlock()
	return g != nil && g.isHeld()
}

// handOver returns what g goes on from: the same owner, who has to look first
// what became of a write that is under way. It is nil while there is no record.
func (r *Reservation) handOver(g *guard) *prior {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ready {
		return nil
	}
	r.guard = g
	p := r.prior
	p.holder = &Holder{records: r.fence.records, key: r.key, token: r.record.Token, held: true, doubt: true, record: r.record}
	return &p
}

// release gives back a record that no lane came for.
func (r *Reservation) release(ctx context.Context) error {
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return &UnavailableError{Key: r.key, Cause: ctx.Err()}
	}
	r.mu.Lock()
	r.ended = true
	r.mu.Unlock()
	call, cancel := context.WithTimeout(ctx, r.fence.options.CallTimeout)
	defer cancel()
	err := r.holder.Release(call, r.prior.bound)
	if err != nil && !errors.Is(err, ErrLost) {
		return &UnavailableError{Key: r.key, Store: err}
	}
	return nil
}

// living gives records a time to live with each write.
type living struct {
	store.Expiring
	ttl time.Duration
}

// CompareAndSet is that of [store.Records].
func (l living) CompareAndSet(ctx context.Context, key store.Key, old, value []byte) error {
	return l.CompareAndSetExpiring(ctx, key, old, value, l.ttl)
}
