// Package stamp makes unique 64-bit ids, sortable by time, without talking to
// anything but the clock; and reads and writes them as text.
//
// An id has 63 bits (or 53, for numbers that JavaScript holds exactly), in
// fields whose widths the configuration chooses:
//
//		 63  62                                                               0
//		+---+-----------+---------------------------+--------+----------------+
//		| 0 | partition |           time            |  node  |    sequence    |
//		+---+-----------+---------------------------+--------+----------------+
//
//	  - partition: on top, so that each partition is one range of ids, which a
//	    database prunes by. Optional.
//	  - time: whole units, milliseconds by default, since an epoch.
//	  - node: tells processes apart. Optional, if there is but one.
//	  - sequence: counts within the unit.
//
// # Use
//
// Make a [Config] once, as a package-level variable, and ask for ids by the
// name of the sequence, one per table:
//
//	var cfg = stamp.MustConfig(stamp.Options{
//		Node:   node.Static(3),
//		Codec:  encode.Base62,
//		Prefix: "ord_",
//	})
//
//	id, err := stamp.Next("orders", cfg) // 47059303273693184
//	text, err := cfg.Encode(id)          // "ord_03TWzQIO6AS"
//
// A [Generator] is a handle on one sequence, for the hottest paths and for
// batches.
//
// # Guarantees
//
//   - Within a process no id is made twice, by any number of goroutines, with
//     the clock stepping either way.
//   - Ids of a sequence rise. Their time is the wall clock's to within a unit;
//     it is later only when the sequence was used up (an overflow, reported by
//     package telemetry), NextAt was given a later time, or the clock went back,
//     and earlier only while a jump of the clock by more than an hour isn't
//     believed yet (see package clock).
//   - No id is 0, negative, or outside its layout, partition and node.
//   - One text per id; what decodes encodes to the same text.
//   - A call without a context waits no longer than Options.Timeout, and only
//     under the policy [Wait] or for a fence.
//   - With Options.Fence no id is made twice over restarts, crashes and steps of
//     the clock either, nor by two processes that have one node number and share
//     the fence's store.
//
// # What you answer for
//
//   - That layout, epoch and unit of stored ids don't change.
//
// With a fence (package fence):
//
//   - That its space has one name for all processes that could make the same
//     ids, and that its store keeps what it said it had stored.
//
// Without one:
//
//   - That no two processes use one node number at the same time.
//   - That a process which restarts finds a clock that is past the last unit of
//     time it had made ids in. It is not after a step back, if a burst had driven
//     time ahead, or within that unit, which matters for units of a second or
//     more. [Wait] with MaxAhead 0 excludes the burst.
package stamp
