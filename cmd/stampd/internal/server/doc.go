// Package server serves a store over HTTP, by the paths of package proxystore,
// until it is told to stop, and then answers what it has begun.
//
// Beside the store's paths there are two for those who watch it:
//
//	GET /healthz    200 while the process serves
//	GET /readyz     200 if the store answers, else 503
//
// Requests that browsers make for other sites are refused (403), so that a page
// which somebody looks at can't create counters on a server on their machine.
// Nothing else is asked of a client: who reaches the address may take numbers and
// raise counters.
package server
