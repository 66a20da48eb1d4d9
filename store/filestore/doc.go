// Package filestore keeps counters and records in a folder, for the processes
// of one machine, and never goes back, whenever one of them dies.
//
// The folder has a file for the contents, counters.txt, and one to lock,
// counters.lock. A change locks, reads, writes counters.new, flushes it, renames
// it to counters.txt and flushes the folder, so that at any moment there is one
// whole file, the old or the new. The lock file is never replaced, and the
// system drops the lock of a process that dies.
//
// # Guarantees
//
//   - Calls are atomic across goroutines and processes.
//   - What a call has returned is on the disk, as far as the disk says so: also
//     what Peek and Get return.
//   - A change that fails before the rename had no effect, and doesn't get one
//     later; one that fails after it, or whose context ends after it, is
//     [store.ErrUnknownOutcome].
//   - A file that isn't exactly what this package wrote is [ErrCorrupt], with the
//     file's name, and stays as it is. It has a checksum.
//   - A call ends with its context, while it waits for the lock and while the
//     disk hangs. What it had begun is then finished or given up in the
//     background, one such call at a time, and later calls wait for that.
//
// # What isn't guaranteed
//
//   - Anything on file systems of a network, whose locks and renames may not be
//     what they seem, or in a folder that something synchronises.
//   - That a copy of the folder is noticed, or one that was restored from a
//     backup. It repeats what was given out since. Nor that a lock file which
//     someone deletes while processes run still locks.
//   - That a process which is stopped in the middle of a change doesn't keep the
//     others waiting: it holds the lock until it goes on or dies.
//   - Speed: each change waits for the disk and writes the whole file, which a
//     few thousand counters don't make slow. Segments make changes rare.
//   - On Windows, a flush of the folder: the rename is asked to write through.
//
// Files are made for the user that runs the process, and for no other.
//
// # Use
//
//	counters, err := filestore.New("/var/lib/shop/ids") // a folder that exists
//	if err != nil {
//		return err
//	}
//	created, err := counters.Create(ctx, store.Key{Namespace: "shop", Name: "orders"}, 0)
//
// A store has nothing to close. On AIX, Solaris, Plan 9 and WebAssembly, whose
// locks the standard library doesn't offer, New returns [errors.ErrUnsupported].
package filestore
