package segment

import (
	"math"
	"sync/atomic"
	"time"
)

// closed is what a segment's word is set to when the rest of it must not be
// given out: above every size, and far from wrapping.
const closed = 1 << 63

// forever is an until that no clock reaches.
const forever = time.Duration(math.MaxInt64)

// segment is a range of numbers that a store call reserved: size numbers from
// first. Numbers are claimed by index, since adding to the value itself could
// pass MaxInt64.
//
// The fields are laid out on two cache lines. All callers read the first. The
// second holds the word, which they contend for and touch once, with the add
// that claims.
type segment struct {
	// low is the index from which a claim has to see to the reserve: size when
	// that is taken care of. Callers add to word, then load low; whoever
	// lowers low stores it, then loads word. So one of the two notices.
	low atomic.Uint64
	// until is the monotonic time from which the clock must be looked at: the
	// segment may have expired, or its group ended.
	until atomic.Int64
	size  uint64
	first int64
	group *group
	_     [24]byte

	word    atomic.Uint64 // index of the next number; at or above size when there is none
	expires time.Duration // on the monotonic clock
	_       [48]byte
}

// empty makes a segment without numbers, which stands for "nothing here".
func empty(g *group) *segment { return &segment{group: g} }

// claim takes up to n numbers, and answers the index of the first. It takes
// none, count 0, when all are gone.
func (s *segment) claim(n uint64) (index, count uint64) {
	// An exhausted segment isn't added to by batches, so that callers who are
	// refused can't make the word wrap.
	if n > 1 && s.word.Load() >= s.size {
		return 0, 0
	}
	index = s.word.Add(n) - n
	if index >= s.size {
		return index, 0
	}
	return index, min(n, s.size-index)
}

// claimed is how many numbers are taken.
func (s *segment) claimed() uint64 { return min(s.word.Load(), s.size) }

// left is how many numbers are not.
func (s *segment) left() uint64 { return s.size - s.claimed() }

// close makes sure that no more numbers are given out, and answers how many
// were and how many are lost.
func (s *segment) close() (claimed, lost uint64) {
	claimed = min(s.word.Swap(closed), s.size)
	return claimed, s.size - claimed
}

// run is the numbers of a claim.
func (s *segment) run(index, count uint64) Run {
	first := s.first + int64(index)
	return Run{First: first, Last: first + int64(count-1), Group: s.group.name, Day: s.group.day}
}
