package segment

import (
	"math/bits"
	"time"
)

// The classes of a histogram are counted in units of 2^unitBits ns, about a
// microsecond, and the last one holds all that is above it, some minutes.
const (
	unitBits = 10
	classes  = 4 * 28
)

// histogram counts durations by size, four classes for each doubling. It is
// small, since there may be a generator for each partition of a tenant. The
// zero value is empty.
type histogram struct {
	classes [classes]uint32
	count   uint64
	sum     time.Duration
}

func (h *histogram) add(d time.Duration) {
	d = max(d, 0)
	h.classes[min(class(uint64(d)>>unitBits), classes-1)]++
	h.count++
	h.sum += d
}

// class is made of the two bits below the leading one, and the leading one's
// place.
func class(n uint64) int {
	if n < 4 {
		return int(n)
	}
	place := bits.Len64(n) - 3
	return 4*place + int(n>>place)
}

// largest is the largest number of a class.
func largest(class int) uint64 {
	if class < 8 {
		return uint64(class)
	}
	place := class/4 - 1
	return uint64(class%4+5)<<place - 1
}

// quantile is a duration that a share q of those counted doesn't exceed: that
// of a class, so up to a quarter and a microsecond too long.
func (h *histogram) quantile(q float64) time.Duration {
	if h.count == 0 {
		return 0
	}
	rest := uint64(q * float64(h.count))
	last := classes - 1
	for c, n := range h.classes {
		if uint64(n) > rest {
			last = c
			break
		}
		rest -= uint64(n)
	}
	return time.Duration((largest(last)+1)<<unitBits - 1)
}

func (h *histogram) mean() time.Duration {
	if h.count == 0 {
		return 0
	}
	return h.sum / time.Duration(h.count)
}
