package segment

import (
	"context"
	"slices"
)

// MaxBatch is the largest number of ids that one call can claim.
const MaxBatch = 1 << 20

// Run is the numbers First to Last, inclusive, and the group they belong to.
type Run struct {
	First, Last int64
	Group       string // as in the counter's name; empty without groups
	Day         int64  // as in [Grouped]
}

// Len is how many numbers there are.
func (r Run) Len() int { return int(r.Last - r.First + 1) }

// Take claims 1 to n consecutive numbers: fewer than n when the segment ends.
// n is 1 to [MaxBatch], else it returns a *[BatchError]. The other errors are
// those of [Generator.NextGrouped].
func (g *Generator) Take(ctx context.Context, n int) (Run, error) {
	if n < 1 || n > MaxBatch {
		return Run{}, &BatchError{N: n, Max: MaxBatch}
	}
	p := g.patience(ctx)
	defer p.end()
	return g.take(&p, uint64(n))
}

// Append claims n numbers and appends them to dst, in rising order. What was
// claimed is appended also when an error ends the claim early.
//
// n is 1 to [MaxBatch], else it returns a *[BatchError]. The other errors are
// those of [Generator.Next].
func Append[T ~int64](ctx context.Context, g *Generator, dst []T, n int) ([]T, error) {
	if n < 1 || n > MaxBatch {
		return dst, &BatchError{N: n, Max: MaxBatch}
	}
	if g.grouped {
		return dst, ErrGrouped
	}
	p := g.patience(ctx)
	defer p.end()
	dst = slices.Grow(dst, n)
	for n > 0 {
		r, err := g.take(&p, uint64(n))
		if err != nil {
			return dst, err
		}
		dst = AppendRun(dst, r)
		n -= r.Len()
	}
	return dst, nil
}

// AppendRun appends the numbers of a run to dst, none if Last is below First.
// Eight at a time, it takes half the time of a plain loop.
func AppendRun[T ~int64](dst []T, r Run) []T {
	from, n := len(dst), max(r.Len(), 0)
	dst = slices.Grow(dst, n)[:from+n]
	rest, v := dst[from:], T(r.First)
	for ; len(rest) >= 8; v += 8 {
		rest[7], rest[6], rest[5], rest[4] = v+7, v+6, v+5, v+4
		rest[3], rest[2], rest[1], rest[0] = v+3, v+2, v+1, v
		rest = rest[8:]
	}
	for i := range rest {
		rest[i] = v + T(i)
	}
	return dst
}
