// Package store is the contract of what processes share: counters that ranges
// of ids are reserved from, and records that carry a promise across restarts.
//
// [Counters] are what segments need, and every store has them. [Records] are a
// capability: fences and leases need them, and a store that has no conditional
// write doesn't offer them. [Memory] has both, within one process; packages
// below this one have them on one machine, in databases and on servers.
//
// # Guarantees
//
//   - A counter only grows. Each number above its start is reserved by one call
//     of Allocate, by any number of processes.
//   - A record is replaced only by who knows its content, byte for byte.
//   - A call ends when its context does, whatever the store does.
//   - An error says what is known: one that matches [ErrUnknownOutcome] may have
//     had its effect, and one that wraps the context's alone, or matches another
//     error of this package, had none.
//   - Arguments that a store can't hold are refused before it is asked, with
//     all that is wrong with them in one error. See [Limits].
//
// # What isn't guaranteed
//
//   - That the store keeps what it said it had stored. One that is restored from
//     a backup, or fails over to a replica that lags, goes back, and that can't
//     be seen in an answer. Who must be safe from it keeps a mark elsewhere.
//   - That numbers are dense: a call whose outcome is unknown leaves a hole.
//   - That keys with the same text are two: with namespace "a.b" and name "c", or
//     "a" and "b.c", the text is "a.b.c", and many stores keep no more than that.
//
// # Use
//
//	counters := store.NewMemory()
//	key := store.Key{Namespace: "shop", Name: "orders"}
//	if _, err := counters.Create(ctx, key, 0); err != nil {
//		return err
//	}
//	maxID, err := counters.Allocate(ctx, key, 100) // 1 to 100 are the caller's
//
// Package storetest tests a store of your own against this contract.
package store
