package segment

import "time"

// Times are durations that were counted, by size. The zero value has none. It is
// a value: it doesn't change when more are counted.
type Times struct {
	counted histogram
}

// Count is how many there are.
func (t *Times) Count() uint64 { return t.counted.count }

// Sum is all of them together.
func (t *Times) Sum() time.Duration { return t.counted.sum }

// Mean is 0 without any.
func (t *Times) Mean() time.Duration { return t.counted.mean() }

// Quantile is a duration that a share q of them, from 0 to 1, doesn't exceed, up
// to a quarter and a microsecond too long. It is 0 without any.
func (t *Times) Quantile(q float64) time.Duration { return t.counted.quantile(q) }

// Below is how many are shorter than d. It is exact where d is a power of two
// nanoseconds from 1.024 µs to a minute; else d is rounded down to where a class
// begins.
func (t *Times) Below(d time.Duration) uint64 {
	if d <= 0 {
		return 0
	}
	below := uint64(0)
	for _, n := range t.counted.classes[:min(class(uint64(d)>>unitBits), classes-1)] {
		below += uint64(n)
	}
	return below
}

// plus counts those of o as well.
func (t *Times) plus(o *Times) {
	for c, n := range o.counted.classes {
		t.counted.classes[c] += n
	}
	t.counted.count += o.counted.count
	t.counted.sum += o.counted.sum
}
