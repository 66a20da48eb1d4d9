// Package relay stands between clients and a TCP server and breaks what they say
// to each other. It knows nothing of their protocol: a request is what the
// client sent at once, a reply what the server did.
//
// It is for tests. A relay is safe for concurrent use.
package relay
