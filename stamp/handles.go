package stamp

import "sync/atomic"

// handles spare a configuration the look-up of its sequence ids. Each id has
// one place, which the first id that needs it keeps; the others are looked up.
// That suits names of tables, which are few, and does no harm to names that
// come and go.
type handles [256]atomic.Pointer[Generator]

func (h *handles) find(id string) *Generator {
	if g := h.place(id).Load(); g != nil && g.id == id {
		return g
	}
	return nil
}

// keep makes a handle for an id whose node and partition never change.
func (h *handles) keep(id string, c *Config) {
	if place := h.place(id); place.Load() == nil {
		place.CompareAndSwap(nil, &Generator{config: c, id: id})
	}
}

// place mixes the length with the first and last bytes, which is cheaper than a
// hash of the whole id and tells names of tables apart.
func (h *handles) place(id string) *atomic.Pointer[Generator] {
	n := len(id)
	mixed := uint64(n)
	switch {
	case n >= 8:
		mixed += eight(id)*0xbf58476d1ce4e5b9 ^ eight(id[n-8:])
	case n >= 4:
		mixed += uint64(four(id))<<32 ^ uint64(four(id[n-4:]))
	case n > 0:
		mixed += uint64(id[0])<<32 ^ uint64(id[n/2])<<16 ^ uint64(id[n-1])
	}
	return &h[mixed*0x9e3779b97f4a7c15>>56]
}

// eight and four read the first bytes of id, which the compiler does in one go.
func eight(id string) uint64 { return uint64(four(id[4:]))<<32 | uint64(four(id)) }

func four(id string) uint32 {
	_ = id[3]
	return uint32(id[0]) | uint32(id[1])<<8 | uint32(id[2])<<16 | uint32(id[3])<<24
}
