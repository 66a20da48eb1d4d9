// Package proxystore reaches counters through an HTTP server, in the form of
// CosId's proxy, so that programs share a store without reaching it themselves,
// and each allocation is sent once.
//
// [NewHandler] serves a store, [Client] is one. Each works with the other and,
// for what it has, with the Java one:
//
//	POST  /segments/distributor/{namespace}/{name}?offset=&step=   create; 200, empty
//	PATCH /segments/{namespace}/{name}?step=                       allocate; 200, a JSON number
//	GET   /v1/counters/{namespace}/{name}                          peek; 200, a JSON number
//	PATCH /v1/counters/{namespace}/{name}?to=                      raise; 200, a JSON number
//	GET   /v1/records/{namespace}/{name}                           get; 200, the value, or 204
//	POST  /v1/records/{namespace}/{name}                           compare and set; 204
//
// The first two are CosId's. The body of the last is {"old":"…","value":"…"} in
// base64; the others have none. Create says in the header Go-Stamp-Created
// whether it did, "true" or "false". Its step has no effect, since each
// allocation has its own.
//
// An error is {"code":"…","msg":"…"}: status 400 for bad input, 404 and 405 for
// what isn't served, 413 for a body that is too large, each with the status as
// its code, 409 with code conflict, and else 500 with no_counter, exhausted,
// unknown_outcome, or failed for all other errors of the store, which by its
// contract had no effect. The code "500" is CosId's, and never this handler's.
//
// # Guarantees
//
//   - A change goes out once: the client follows no redirect, and its requests
//     can't be repeated by net/http, neither on a new connection nor on HTTP/2:
//     on HTTP/1 this shows as an empty body that is sent in chunks. Changes are
//     PATCH and POST, which gateways don't repeat by default.
//   - A change without a usable answer is [store.ErrUnknownOutcome]: a lost
//     connection, a time-out, a malformed or oversized answer, an error that isn't
//     known to be without effect, such as a gateway's 502 or CosId's 500. A
//     connection that was refused isn't; nor are the statuses with which servers
//     turn requests away: 401, 403, 404, 405, 413, 414, 429 and 431.
//   - Numbers are exact up to MaxInt64 on both sides.
//   - [store.ErrNoCounter], [store.ErrExhausted], [store.ErrConflict],
//     [store.ErrInvalid] and [store.ErrUnknownOutcome] of the store that is served
//     reach the client's caller.
//
// # What isn't guaranteed
//
//   - Who calls. The handler asks for no credentials and shows the store's error
//     messages: wrap it, or serve it to your own programs only. The client's come
//     from its [http.Client], whose transport must not repeat requests by itself.
//   - Durability: it is that of the store behind the server.
//   - Names with "/", since gateways decode it, and the names "." and "..", which
//     they remove. They are [store.ErrInvalid], as is a key above [MaxKey].
//
// # With CosId's own proxy
//
// Create and Allocate work. Create returns false, since the proxy doesn't say
// what it did. A proxy forgets at its restart which counters were created
// through it, and answers allocations of those it doesn't know with a plain
// status 500, just like any failure: that is ErrUnknownOutcome, never
// ErrNoCounter, and ends when Create is called again, which leaves a counter that
// exists as it is. So a counter that its store has lost is created anew without a
// notice. Peek, Raise, Get and CompareAndSet are [UnsupportedError]: recovery,
// audit, fences and leases aren't to be had.
//
// # Use
//
//	http.ListenAndServe("127.0.0.1:8080", proxystore.NewHandler(counters, proxystore.HandlerOptions{}))
//
// and elsewhere
//
//	counters, err := proxystore.NewClient(proxystore.ClientOptions{URL: "http://127.0.0.1:8080"})
//
// Time-outs of connections and a graceful stop are the [http.Server]'s. A client
// has nothing to close.
package proxystore
