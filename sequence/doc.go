// Package sequence hands out the ids of clock-driven sequences: each one to
// exactly one caller, in rising order, whatever the clock does.
//
// # The rule
//
// A sequence keeps one word, the time and sequence number that were claimed
// last, and claims by
//
//	next = max(now << sequence bits, word + 1)
//
// When the numbers of one time are used up and the clock hasn't moved on, the
// next id has the next time, even if it lies in the future: generation drives
// time, which is called an overflow and reported (package telemetry). When the
// clock goes back, ids go on from where they were.
//
// # Guarantees
//
//   - An id is given to one caller. Ids of one sequence rise; a goroutine sees
//     its own rise. No claim is undone, and one that can't be given out is lost.
//   - An id lies inside its layout, partition and node, and is never 0.
//   - Within a [Registry] a key (sequence id, settings, node, partition) has
//     one sequence; an id used with other settings is refused.
//   - No id's time is further ahead of the clock's reference time than
//     [Settings] allow, and a call that is refused doesn't bring it nearer.
//   - [Sequence.Next] doesn't lock and doesn't allocate, and nothing here
//     starts a goroutine.
//
// # What it can't promise
//
// A process forgets its sequences when it ends. If its clock goes back across
// the restart, if it had driven time ahead, or if the restart takes less than a
// unit of time, the next process can repeat ids; so can two processes with the
// same node number.
//
// Most programs use package stamp, which adds configurations, text forms and
// partitions.
package sequence
