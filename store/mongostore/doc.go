// Package mongostore keeps counters and records in MongoDB, in the documents that
// CosId gives its counters, and never sends a change again that may have been made.
//
// A counter is a document of collection cosid in database cosid_db, which Java
// programs with CosId share:
//
//	{_id: "namespace.name", lastMaxId: int64, lastFetchTime: int64}
//
// lastFetchTime is in milliseconds since 1970, by the clock of the program that
// changed the counter last; nothing goes by it. A record is a document of
// collection cosid_record, with its bytes and a count of its changes:
//
//	{_id: "namespace.name", content: binary, writes: int64}
//
// # Guarantees
//
//   - Each change is one command on one document, which MongoDB carries out as a
//     whole: findAndModify with $inc or $max, insert, or update with the old content
//     in its filter. None of them creates a document but insert.
//   - Counters are exact up to MaxInt64, and one without room is left as it is by
//     the same command. A lastMaxId that another program has stored as int32
//     counts; a double, which the arithmetic would turn the counter into for
//     good, is [ErrNotCounter], also one without a fraction.
//   - Changes have write concern {w: "majority", j: true}, whatever the client's is:
//     what was acknowledged is in the journals of most members and outlives a
//     failover. A change that is made but not acknowledged so is
//     [store.ErrUnknownOutcome].
//   - Peek and Get read from the primary with read concern "linearizable": they see
//     every acknowledged change, and nothing that a failover can take back.
//   - A change whose answer got lost isn't sent again, and is
//     [store.ErrUnknownOutcome]. One that there was no connection or no primary
//     for, and one that the server refused, have had no effect. One that a server
//     turned away because it is no longer the primary, or is overloaded, is sent
//     again, a few times.
//   - A call ends with its context. A session or transaction in the context is
//     left aside, since numbers that an aborted transaction gives back would be
//     handed out twice.
//
// # Retryable writes
//
// The driver can send a write again after a lost connection. On a replica set that
// is safe, since the server knows the write by its transaction number and answers
// with what it did the first time; a server that stands alone doesn't, and there
// the driver doesn't retry. Changes here are sent without, for what comes after:
// when the second attempt fails too, for want of a primary, of time or of rights,
// the driver's error is of one of the attempts and may say that nothing was sent,
// while the first one was carried out. So the client's retryWrites doesn't matter.
// The price is a call with an unknown outcome where a connection breaks, and its
// numbers. Reads are retried as the client is set.
//
// # What isn't guaranteed
//
//   - Majorities on a server that stands alone. Reads there are of what it has in
//     memory: a crash can take back what its writer hadn't been told yet. Leases and
//     fences want a replica set; one member is enough to be one.
//   - Anything from a server that says it has written and hasn't: a storage engine
//     in memory, a restored backup, a forced reconfiguration of the replica set.
//   - That names differ which the collation of the collection takes for equal. A
//     collection without one, the default, tells all apart.
//   - A collection that is sharded by anything but _id: its server refuses the
//     changes.
//
// A user with the actions find, insert and update on both collections has all that
// this package uses.
//
// A counter whose lastMaxId a person or a script has set to a double is mended in
// mongosh, with the number in quotes:
//
//	db.cosid.updateOne({_id: "shop.orders"}, {$set: {lastMaxId: NumberLong("1000")}})
//
// # Use
//
//	client, err := mongostore.NewClient("mongodb://127.0.0.1:27017/?replicaSet=rs0")
//	if err != nil {
//		return err
//	}
//	defer client.Disconnect(ctx)
//	counters, err := mongostore.New(client, mongostore.Options{})
//	if err != nil {
//		return err
//	}
//	created, err := counters.Create(ctx, store.Key{Namespace: "shop", Name: "orders"}, 0)
//
// It asks of a server no more than the driver does, MongoDB 4.4 or later. Its tests
// run on a server of MongoDB's wire without replica sets, FerretDB; what a replica
// set answers is played by scripted servers.
package mongostore
