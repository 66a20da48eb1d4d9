package stamp

import "sync/atomic"

// handles spare a configuration the look-up of its sequence ids. Each id has
// one place, which the first id that needs it keeps; the others are looked up.
// That suits names of tables, which are few, and does no harm to names that
// come and go.
type handles [64]atomic.Pointer[Generator]

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

// place mixes length and three bytes of the id, which is cheaper than a hash of
// all of it and tells names of tables apart well enough.
func (h *handles) place(id string) *atomic.Pointer[Generator] {
	n := len(id)
	if n == 0 {
		return &h[0]
	}
	mixed := uint64(id[0]) | uint64(id[n/2])<<8 | uint64(id[n-1])<<16 | uint64(n)<<24
	return &h[mixed*0x9e3779b97f4a7c15>>58]
}
