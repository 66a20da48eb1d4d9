// Package nodelock lets one process at a time make ids with a node number, and
// keeps two processes in turn from making the same one, also after a crash and
// after the clock was set back.
//
// For each format of ids there is a folder, and in it two files per node:
// node-3.lock, which is locked while a [Lock] lives and never replaced, and
// node-3.bound, which records a time that all ids made with the node so far lie
// below. Times are units since the format's epoch.
//
// Guarantees, among the processes that share the folder and its clock:
//
//   - No two locks of one node and format exist at once.
//   - Ids whose times were covered by [Lock.Cover] have times of at least the
//     lock's Floor, and every lock taken later has a higher Floor, whether this
//     one was closed or its process was killed.
//   - A record that can't be understood is an error, never a fresh start.
//
// It doesn't help against another user, machine or program that makes ids with
// the same node, against a folder that is deleted or restored from a copy, or
// on a file system whose locks don't work.
//
//	lock, err := folder.TakeFree(ctx)
//	// make ids with node lock.Node(), none of a time before lock.Floor()
//	err = lock.Cover(timeOfLastID) // before anyone sees them
//	err = lock.Close(ctx)
package nodelock
