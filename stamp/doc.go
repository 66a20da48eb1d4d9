// Package stamp makes unique 64-bit ids, sortable by time, without talking to
// anything but the clock; or of numbers from a counter that processes share. It
// reads and writes them as text.
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
// batches. [Typed] is a type for the ids of one kind of rows, with its text in
// JSON and forms; [Types] finds the type of an unknown text.
//
// # Source
//
// Options.Source makes ids of the numbers of a segment.Provider instead of the
// clock's time. A number is unique in the world by itself, so its layout has no
// node bits, and no time bits either:
//
//	var cfg = stamp.MustConfig(stamp.Options{
//		Source: provider,
//		Layout: stamp.Layout{Partition: 4, Sequence: 59}, // default: Sequence: 63
//	})
//
// The sequence id is the name of one of the provider's generators. Its counter is
// {namespace}.{name}, and {namespace}.{name}#{partition} with partition bits, so
// that each partition counts from 1. 63 bits without partitions are what programs
// that use CosId in Java read and write too. Everything else is as with the clock:
// partitions, codec and prefix, batches, ranges.
//
// A generator may begin anew with each day, month or year. Then the layout has
// time bits, for the days from the epoch's date to the group's first day, both in
// Options.Zone: 16 bits are 179 years. [Config.Time] is when that day begins.
//
//	Layout: stamp.Layout{Time: 16, Sequence: 47},
//	Zone:   zone, // that of the generator's groups
//
// Without time bits an id is unique within its group only, as it always is when
// groups are those of a function. [Next] is refused there, and [NextGrouped]
// returns id and group together; a [Format] writes both, BIZ-20260101-00000001,
// and reads them back.
//
// What can be wrong with one name, a layout with time bits for a generator
// without groups or a group in another zone, is [ErrSource] when the name is
// first used.
//
// # Guarantees
//
// Of ids from a Source:
//
//   - No id is made twice, by any number of processes that share the counters; with
//     groups and no time bits, none is within its group. That rests on the store
//     keeping what it has counted. One that went back is [ErrRolledBack], as far
//     as package segment can see it, and no more ids.
//   - Ids of one handle, or of one name and partition, rise within a process. Across
//     processes they don't: each has segments of its own. There are gaps.
//   - A clock plays no part but for the day: that of a reading taken in the call,
//     or a later one that was reached before the clock went back.
//   - A number above the sequence bits is [ErrSequenceExhausted], a day outside
//     the time bits [ErrBeforeEpoch] or [ErrTimeExhausted], and never an id.
//   - A name whose numbers one configuration makes ids of, within a process and
//     from one provider, can't have another layout, epoch or zone in another:
//     [ErrConflict].
//   - While there are numbers at hand a call takes no lock, doesn't allocate, and
//     without groups and TTL reads no clock. Without, it waits for the store, no
//     longer than its context or Options.Timeout.
//
// Of ids from the clock:
//
//   - Within a process no id is made twice, by any number of goroutines, with
//     the clock stepping either way.
//   - Ids of a sequence rise. Their time is the wall clock's to within a unit;
//     it is later only when the sequence was used up (an overflow, reported by
//     package telemetry), NextAt was given a later time, or the clock went back,
//     and earlier only while a jump of the clock by more than an hour isn't
//     believed yet (see package clock).
//   - A call without a context waits no longer than Options.Timeout, and only
//     under the policy [Wait] or for a fence.
//   - With Options.Fence no id is made twice over restarts, crashes and steps of
//     the clock either, nor by two processes that have one node number and share
//     the fence's store.
//
// Of all:
//
//   - No id is 0, negative, or outside its layout, partition and node.
//   - One text per id; what decodes encodes to the same text.
//
// # What you answer for
//
//   - That layout, epoch, unit and zone of stored ids don't change, nor period and
//     names of a generator's groups: a group of another name counts from 1 again,
//     also when it begins on the same day. They are the same in all processes.
//   - That a sequence id has one source: the clock, or one provider's counters.
//
// With a fence (package fence):
//
//   - That its space has one name for all processes that could make the same
//     ids, and that its store keeps what it said it had stored.
//
// Of the clock without a fence:
//
//   - That no two processes use one node number at the same time.
//   - That a process which restarts finds a clock that is past the last unit of
//     time it had made ids in. It is not after a step back, if a burst had driven
//     time ahead, or within that unit, which matters for units of a second or
//     more. [Wait] with MaxAhead 0 excludes the burst.
package stamp
