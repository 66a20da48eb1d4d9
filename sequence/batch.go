package sequence

import (
	"context"
	"slices"
)

// Append claims n ids and appends them to dst, in rising order. What was
// claimed is appended also when an error ends the claim early.
//
// n is 1 to [MaxBatch], and with the policies Wait and Fail no more than MaxAhead can
// ever allow at once; else a *[BatchError]. The other errors, and ctx, are
// those of [Sequence.Next].
func Append[T ~int64](ctx context.Context, s *Sequence, dst []T, n int, c *Caller) ([]T, error) {
	if n < 1 || n > s.space.maxBatch {
		return dst, &BatchError{N: n, Max: s.space.maxBatch}
	}
	own := ctx == nil
	if own {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.Background(), c.Timeout)
		defer cancel()
	}
	dst = slices.Grow(dst, n)
	var o overflow
	defer s.report(&o, c)
	for left := uint64(n); left > 0; {
		b, err := s.take(ctx, left, c, &o)
		if err != nil {
			if own {
				err = droppedAt(ctx, err)
			}
			return dst, err
		}
		dst = appendBlock(dst, s, b)
		left -= b.count()
	}
	return dst, nil
}

// take claims up to n words. Unlike Next it loads the word before it claims:
// adding n at a limit would waste up to n words.
func (s *Sequence) take(ctx context.Context, n uint64, c *Caller, o *overflow) (block, error) {
	if s.open() {
		_, b, err := s.swap(0, n)
		if err != nil {
			return block{}, err
		}
		if !b.empty() {
			if s.crossings(b) > 0 {
				s.overflowed(b, c, o)
			}
			return b, nil
		}
	}
	return s.claim(ctx, n, c, o)
}

// appendBlock makes ids of words. Within a unit they are consecutive numbers.
func appendBlock[T ~int64](dst []T, s *Sequence, b block) []T {
	from := len(dst)
	dst = dst[:from+int(b.count())]
	for rest, w := dst[from:], b.first; len(rest) > 0; {
		n := int(min(w|s.mask, b.last) - w + 1)
		count(rest[:n], T(s.pack(w)))
		rest, w = rest[n:], w+uint64(n)
	}
	return dst
}

// count fills dst with first and the numbers after it. Eight at a time, it
// takes half the time of a plain loop.
func count[T ~int64](dst []T, first T) {
	for ; len(dst) >= 8; first += 8 {
		dst[7], dst[6], dst[5], dst[4] = first+7, first+6, first+5, first+4
		dst[3], dst[2], dst[1], dst[0] = first+3, first+2, first+1, first
		dst = dst[8:]
	}
	for i := range dst {
		dst[i] = first + T(i)
	}
}
