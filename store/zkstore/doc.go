// Package zkstore keeps counters and records in ZooKeeper, in the nodes that CosId
// gives its counters, and never sends a write twice.
//
// A counter is a node "/cosid/namespace.name" of 8 bytes, a big-endian number, as
// Curator's DistributedAtomicLong keeps it, which Java programs with CosId 3
// share. A record is its bytes, in a node "/cosid-records/namespace.name". Each
// change is a write with the version that was read; if another client was faster,
// the call reads again and tries again, 40 times at most, with a growing pause of
// random length. Under contention Curator takes a lock beside the counter, at
// "/cosid/namespace.name-locker"; this package needs none, and leaves it alone.
//
// # Guarantees
//
//   - Changes are atomic: ZooKeeper takes a write only with the node's version.
//   - A call ends with its context. The client's calls know none, and one that
//     hangs takes up to two thirds of the session's time-out to notice it, or
//     seven times that time-out while it connects; so they run beside the
//     caller, which leaves them behind. At most 128 of a store do; further
//     calls wait for one of them to end, or for their own context.
//   - A write without an answer is [store.ErrUnknownOutcome]: one that was left
//     behind is sent when a server can be reached again, and one whose connection
//     was closed may have been carried out. It burns its numbers, or fails by its
//     version; it is never tried again.
//   - Errors of the server that refuse a write, a refused connection, a failed
//     read and a contention that doesn't end are not: there was no change.
//   - Peek, Raise, Get and CompareAndSet see what was acknowledged to anyone
//     before: they make the server catch up with the leader first. So does
//     Allocate before it says that there is no counter.
//   - Names have no "/", no control characters, and none from U+E000 to U+F8FF or
//     above U+FFEF (so no emoji): ZooKeeper refuses these.
//
// # What the ensemble must be told
//
// Nothing: a write is acknowledged when a majority has it on disk. That ends with
// forceSync=no, or a dataLogDir that doesn't survive a power failure. A counter
// that went back gives its numbers out again.
//
// # What isn't guaranteed
//
//   - Anything across a restored snapshot, or an ensemble that was started anew
//     with the data of one server. Keep a mark elsewhere.
//   - That nodes stay: who may delete a counter may also create it again below
//     where it stood, and versions then begin at 0, so that a write which was
//     under way can fit. Stop all clients first.
//   - Reads from a leader that has lost its ensemble and doesn't know it yet.
//     Writes there fail.
//   - Versions of more than 32 bits: after 4,294,967,295 writes a node's version
//     is -1, which to ZooKeeper means "any", and the call is [ErrVersion]. With
//     all clients stopped, write the bytes that are there once more. A larger
//     step makes that time longer.
//
// # Use
//
//	servers, chroot, err := zkstore.ParseConnectString("zk1:2181,zk2:2181,zk3:2181/apps")
//	if err != nil {
//		return err
//	}
//	conn, _, err := zk.Connect(servers, 10*time.Second, zk.WithLogInfo(false))
//	if err != nil {
//		return err
//	}
//	defer conn.Close()
//	counters, err := zkstore.New(conn, zkstore.Options{Chroot: chroot})
//	if err != nil {
//		return err
//	}
//	created, err := counters.Create(ctx, store.Key{Namespace: "shop", Name: "orders"}, 0)
//
// Connect fails only if a name can't be looked up, and looks it up once. Calls
// before the client has reached a server wait until it has, or has tried all.
//
// Rights: read and write on counters and records, and create on their parents to
// make new ones; with [Options].ACL for the nodes that this package makes.
//
// Tested with ZooKeeper 3.8.
package zkstore
