// Command mongowire is a server of MongoDB's wire protocol for the tests of
// go-stamp, on systems that don't package MongoDB.
//
//	mongowire -listen 127.0.0.1:27017 -data /var/tmp/mongowire
//
// It is FerretDB 1.24 with its SQLite backend, in this process, behind package
// relay, which lets one request through at a time: FerretDB 1 reads a document
// and writes it back in two steps, so that of 1,600 increments at once most
// return what another has returned too.
//
// What is the same as in MongoDB, and what isn't:
//
//   - Single documents change atomically, by the relay.
//   - It stands alone: no replica set, no transactions, no retryable writes.
//   - Read and write concerns are accepted and do nothing. The files aren't synced,
//     so that tests are fast: a power failure loses data. With -sync they are. A
//     process that is killed loses nothing either way.
//   - There are no users, and no pipelines in updates.
//
// It is a module of its own outside go.work, since its dependencies are many.
// scripts/services builds and starts it.
package main
