// Package redisstore keeps counters and records in Redis, under the keys that
// CosId gives its counters, and never sends a change twice.
//
// A counter is a string of decimal digits at "cosid:{namespace.name}.adder",
// which Java programs with CosId 3 share. A record is its bytes, at
// "cosid:{namespace.name}.record". The braces are a hash tag: they decide in which
// slot of a cluster a key is. Each call is one script with one key, sent by EVAL
// whole, so that a server which has forgotten its scripts is no second case.
//
// # Guarantees
//
//   - Calls are atomic: Redis runs one script at a time.
//   - Counters are exact up to MaxInt64. Lua has only floating point numbers, so
//     none of the scripts makes a number of a counter.
//   - A request whose answer got lost isn't sent again. The client's retries must
//     be off, which [New] checks, and each command forbids them once more, since
//     a cluster client counts them among its redirections.
//   - A change without an answer is [store.ErrUnknownOutcome]. A refused
//     connection, a full pool, a closed client and an error that the server
//     answered with are not: there was no change.
//   - A call ends with its context, also in the middle of a read. What it had
//     sent goes on in the background for at most the client's time-outs.
//   - Reads are scripts too, so they go to the master, past a client's cache.
//
// # What the server must be told
//
// Redis keeps what it acknowledged only if it is configured to:
//
//	appendonly yes                 # else a restart goes back to the last snapshot
//	appendfsync always             # with everysec, a power failure takes the last second or two
//	maxmemory-policy noeviction    # with allkeys-*, a full memory deletes counters
//
// A counter that went back gives its numbers out again. One that is gone is
// [store.ErrNoCounter] here, but Java's CosId creates it anew, at its offset.
//
// # What isn't guaranteed
//
//   - Anything across a failover to a replica, be it by Sentinel, by a cluster or
//     by hand. Replication is asynchronous: the replica may lack the last changes
//     that were acknowledged, and an old master that nobody can reach goes on
//     answering for a while. min-replicas-to-write and WAIT make the loss smaller
//     and don't exclude it. Keep a mark elsewhere, or a store that agrees by
//     majority, where that must not happen.
//   - That a client of one server has the master: with Sentinel's ReplicaOnly, or
//     the address of a replica, reads are late, and the server refuses changes.
//   - Anything behind a proxy that sends requests again, or that answers with an
//     error for a server which it has lost.
//   - That keys stay: FLUSHALL, DEL, EXPIRE and a restored snapshot are the
//     operator's. A user with the rights +eval, +get, +set, +incrby, +del and +pttl on
//     "~cosid:*" has all that this package uses.
//
// Clients of type *redis.Ring are refused: a ring moves keys to other servers
// when one doesn't answer, and a counter that is on two is no counter.
//
// # Use
//
//	client, err := redisstore.NewClient("redis://127.0.0.1:6379/0")
//	if err != nil {
//		return err
//	}
//	defer client.Close()
//	counters, err := redisstore.New(client, redisstore.Options{})
//	if err != nil {
//		return err
//	}
//	created, err := counters.Create(ctx, store.Key{Namespace: "shop", Name: "orders"}, 0)
//
// Tested with Redis 7. The scripts need GET, SET NX, INCRBY and Lua 5.1, and the
// words "overflow" and "not an integer" in the errors of INCRBY.
package redisstore
