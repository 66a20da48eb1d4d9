package sequence

import (
	"fmt"
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// Registry finds sequences by their keys, and makes them at first use. It is
// made by [NewRegistry]; the zero value is refused. Within
// one registry a key has one sequence, whoever asks for it. It is safe for
// concurrent use; looking up what exists doesn't lock.
//
// Programs use [Default]. A registry of their own isolates tests and
// simulations: sequences of two registries repeat each other's ids.
type Registry struct {
	seed    maphash.Seed
	entries table[string, entry]
	live    atomic.Int64

	mu     sync.Mutex // held to add and to drop; no I/O under it
	spaces map[Settings]*Space
	lanes  map[laneKey]*Lane
	fenced map[fenceKey]*Lane
	// dropped is where the highest dropped sequence of a format and node stood.
	dropped map[laneFormat]*atomic.Uint64
}

// entry is a sequence id in use. Most ids have one sequence; the others are
// found by their base, which is node and partition in their places.
type entry struct {
	space *Space
	first *Sequence
	more  table[uint64, Sequence]
}

var defaultRegistry = sync.OnceValue(NewRegistry)

// Default is the process-wide registry.
func Default() *Registry { return defaultRegistry() }

// NewRegistry makes an empty registry.
func NewRegistry() *Registry {
	return &Registry{
		seed:    maphash.MakeSeed(),
		spaces:  make(map[Settings]*Space),
		lanes:   make(map[laneKey]*Lane),
		fenced:  make(map[fenceKey]*Lane),
		dropped: make(map[laneFormat]*atomic.Uint64),
	}
}

// Space gives access to the sequences with these settings. Equal settings give
// the same Space. It keeps one per settings, for good.
func (r *Registry) Space(s Settings) (*Space, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if r.spaces == nil {
		return nil, fmt.Errorf("%w: a zero Registry; make one with NewRegistry", ErrSettings)
	}
	s = s.normal()
	r.mu.Lock()
	defer r.mu.Unlock()
	sp := r.spaces[s]
	if sp == nil {
		sp = newSpace(r, s)
		r.spaces[s] = sp
	}
	return sp, nil
}

// Len is the number of live sequences, over all ids, nodes and partitions.
func (r *Registry) Len() int { return int(r.live.Load()) }

// Drop forgets a sequence id with all its sequences and tells how many they
// were. It makes room where ids come and go, such as one per tenant.
//
// Dropping can't repeat ids: what is left of a sequence is where it stood, as
// a floor for all that are made later with the same layout, epoch, unit and
// node. A new sequence therefore starts ahead of the clock when a dropped one
// was. The id's settings are forgotten as well: as after a restart, it is the
// caller's part not to use another layout for the same ids.
//
// Calls under way fail with [ErrDropped], and so do calls on a *Sequence that
// was dropped.
func (r *Registry) Drop(id string) int {
	hash := maphash.String(r.seed, id)
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.entries.get(hash, id)
	if e == nil {
		return 0
	}
	r.entries.remove(hash, id)
	e.first.close()
	e.more.each((*Sequence).close)
	n := 1 + e.more.len
	r.live.Add(int64(-n))
	return n
}

// find looks a sequence up, without making it.
func (e *entry) find(base uint64) *Sequence {
	if e.first.base == base {
		return e.first
	}
	return e.more.get(hashBase(base), base)
}

// open finds or makes a sequence whose node and partition are in range.
func (r *Registry) open(sp *Space, id string, node, partition uint64) (*Sequence, error) {
	if id == "" {
		return nil, ErrNoID
	}
	hash := maphash.String(r.seed, id)
	base := sp.base(node, partition)
	r.mu.Lock()
	defer r.mu.Unlock()

	e := r.entries.get(hash, id)
	if e != nil && e.space != sp {
		return nil, &ConflictError{SequenceID: id, InUse: e.space.settings, Asked: sp.settings}
	}
	if e != nil {
		if q := e.find(base); q != nil {
			return q, nil
		}
	}
	l, err := r.lane(&sp.settings, node)
	if err != nil {
		return nil, err
	}
	q := newSequence(sp, l, id, node, partition)
	if e == nil {
		r.entries.add(hash, id, &entry{space: sp, first: q})
	} else {
		e.more.add(hashBase(base), base, q)
	}
	r.live.Add(1)
	return q, nil
}

func hashBase(base uint64) uint64 {
	base *= 0x9e3779b97f4a7c15
	return base ^ base>>32
}
