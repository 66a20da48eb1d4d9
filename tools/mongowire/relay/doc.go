// Package relay stands between clients and a server of MongoDB's wire protocol
// and lets one request through at a time, on all connections together.
//
// A server behind it needs no atomic updates: FerretDB's SQLite backend reads a
// document and then writes it back, and two requests at once can both read
// first. It is for tests. A request that takes long holds up all others, and
// nothing is compressed, encrypted or pooled.
//
// # What it does with messages
//
//   - A request is read whole before it has its turn, and an answer is written to
//     its client after it: neither a client that stops in the middle of a message
//     nor one that doesn't read holds up others.
//   - A turn lasts until the server's answer is there, also if the client has
//     gone: the server may still be at work.
//   - A request that asks for no answer (moreToCome) is sent on asking for one,
//     which is dropped: nothing else tells when its turn is over.
//   - A request that allows several answers (exhaustAllowed) is sent on allowing
//     one. Servers may do that anyway.
//   - What can't be told apart by its header ends the connection: compressed
//     messages, messages with a checksum, and kinds that MongoDB 6 removed.
//
// The format: https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/
package relay
