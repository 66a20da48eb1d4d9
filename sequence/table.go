package sequence

import "sync/atomic"

// table is a hash map whose readers never lock and never wait. Writers must
// exclude each other. The zero value is empty.
//
// Nodes don't change once they are published, so a reader that holds a bucket
// sees a valid chain, of before a change or after it. Adding costs O(1) on
// average, also one by one, which a map that is copied for each addition
// doesn't.
type table[K comparable, V any] struct {
	buckets atomic.Pointer[[]atomic.Pointer[node[K, V]]] // length is a power of two
	len     int
}

type node[K comparable, V any] struct {
	key   K
	value *V
	hash  uint64
	next  *node[K, V]
}

const firstBuckets = 4

func (t *table[K, V]) get(hash uint64, key K) *V {
	buckets := t.buckets.Load()
	if buckets == nil {
		return nil
	}
	b := *buckets
	for n := b[hash&uint64(len(b)-1)].Load(); n != nil; n = n.next {
		if n.key == key {
			return n.value
		}
	}
	return nil
}

// add puts in a key that isn't there yet.
func (t *table[K, V]) add(hash uint64, key K, value *V) {
	buckets := t.buckets.Load()
	if buckets == nil || t.len >= len(*buckets) {
		buckets = t.grow(buckets)
	}
	t.len++
	push(*buckets, &node[K, V]{key: key, value: value, hash: hash})
}

func (t *table[K, V]) grow(old *[]atomic.Pointer[node[K, V]]) *[]atomic.Pointer[node[K, V]] {
	size := firstBuckets
	if old != nil {
		size = 2 * len(*old)
	}
	grown := make([]atomic.Pointer[node[K, V]], size)
	if old != nil {
		for i := range *old {
			for n := (*old)[i].Load(); n != nil; n = n.next {
				push(grown, &node[K, V]{key: n.key, value: n.value, hash: n.hash})
			}
		}
	}
	t.buckets.Store(&grown)
	return &grown
}

// remove takes key out, if it is there.
func (t *table[K, V]) remove(hash uint64, key K) {
	buckets := t.buckets.Load()
	if buckets == nil {
		return
	}
	head := &(*buckets)[hash&uint64(len(*buckets)-1)]
	var kept *node[K, V]
	for n := head.Load(); n != nil; n = n.next {
		if n.key == key {
			t.len--
			continue
		}
		kept = &node[K, V]{key: n.key, value: n.value, hash: n.hash, next: kept}
	}
	head.Store(kept)
}

// each calls visit for all values. Those that are added or removed meanwhile
// may be left out.
func (t *table[K, V]) each(visit func(*V)) {
	buckets := t.buckets.Load()
	if buckets == nil {
		return
	}
	for i := range *buckets {
		for n := (*buckets)[i].Load(); n != nil; n = n.next {
			visit(n.value)
		}
	}
}

func push[K comparable, V any](buckets []atomic.Pointer[node[K, V]], n *node[K, V]) {
	head := &buckets[n.hash&uint64(len(buckets)-1)]
	n.next = head.Load()
	head.Store(n)
}
