// Package lease gives a process a free node number from a shared store, and
// fences its ids: lease and fence are one record, written by one conditional write.
//
//	l, err := lease.Acquire(ctx, records, lease.Options{Space: "orders-prod"})
//	cfg, err := stamp.NewConfig(stamp.Options{Node: l}) // which brings its fence
//	id, err := stamp.Next("orders", cfg)
//	err = l.Close(ctx) // at the end: the number is free at once
//
// # Guarantees
//
//   - Ids of two processes that had one number, at the same time or one after the
//     other, have different times. That is the fence's promise (package
//     sequence/fence) and rests on no clock and no time-out: an id's time is below
//     a bound that was stored before, and whoever takes the number over begins
//     at that bound.
//   - A living process keeps its number for as long as its store answers now and
//     then. Whether a lease has run out is judged by the store's own time.
//   - A process that can't renew, because the store is away or it was stopped for
//     longer than the TTL, makes ids below the bound that it had stored, for up
//     to a window, and none at or above it: calls fail, with [ErrLost] once another
//     process has the number.
//   - A process with a name ([Options].Name), such as a pod of a StatefulSet, gets
//     the number that it had before, unless it was given away meanwhile. A second
//     one of the same name waits; it doesn't take the number from the first.
//
// # What isn't guaranteed
//
//   - That a number stays with a process which was cut off from the store for
//     longer than the TTL: another one may have it then. Ids are distinct in any
//     case, and generation stops with an error.
//   - Anything, if the store loses what it said it had stored.
//   - Anything, if ids of the same space and layout are made without a lease or
//     fence by somebody else. A fence of a fixed number is no lease: its record has no
//     time to live, so the number counts as free. Keep the two in different spaces,
//     or ranges of numbers.
//
// # Stores
//
// Records must run out by the store's own time: [store.Expiring]. Those of
// packages sqlstore, redisstore, etcdstore and filestore do, and those behind a
// proxystore whose server has one of these. [File] is for a folder of one machine.
//
// # Numbers
//
// The record of each number is read, one after the other, from one on that depends
// on the name, or is random, until a free one is found. With few free numbers
// among thousands that takes as many reads; [Options].First and Last narrow it.
// A number is free if it was never held, was given back, or its lease has run out.
package lease
