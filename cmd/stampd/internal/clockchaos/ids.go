package clockchaos

import (
	"fmt"
	"time"

	"github.com/stampid/go-stamp/bits"
)

// sequences is how many there are. All processes use them all.
const sequences = 8

func sequenceName(i int) string { return fmt.Sprintf("sequence-%d", i) }

// partitionOf is the partition that a sequence is used in: ids of two partitions
// differ, so each sequence has but one.
func partitionOf(sequence int) uint64 { return uint64(sequence % 4) }

// layout has few numbers for a unit, so that a batch of 10,000 ids takes 40 ms of
// time, and a burst runs far ahead of the clock.
func layout() bits.Layout { return bits.Layout{Partition: 2, Time: 45, Node: 8, Sequence: 8} }

// timescale begins long before any clock that a worker may have.
func timescale() bits.Timescale {
	return bits.Timescale{Epoch: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), Unit: time.Millisecond}
}

// space is the name of the fence's.
const space = "chaos"
