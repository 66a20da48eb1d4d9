package segment

import (
	"math/bits"
	"time"
)

// histogram counts durations by size, four classes for each doubling. The zero
// value is empty.
type histogram struct {
	classes [4 * 64]uint64
	count   uint64
	sum     time.Duration
}

func (h *histogram) add(d time.Duration) {
	d = max(d, 0)
	h.classes[class(uint64(d))]++
	h.count++
	h.sum += d
}

// class is two bits below the leading one, and the leading one's place.
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

// quantile is a duration that a share q of those counted doesn't exceed; up to
// a quarter more than the least.
func (h *histogram) quantile(q float64) time.Duration {
	if h.count == 0 {
		return 0
	}
	rest := uint64(q * float64(h.count))
	for c, n := range h.classes {
		if n > rest {
			return time.Duration(largest(c))
		}
		rest -= n
	}
	return time.Duration(largest(len(h.classes) - 1))
}

func (h *histogram) mean() time.Duration {
	if h.count == 0 {
		return 0
	}
	return h.sum / time.Duration(h.count)
}
