// Package herd measures what many instances ask of a store when they start at
// once, and when the store was away and comes back to all of them.
//
// An instance is a generator with a client of its own, so with connections of its
// own, and with callers that come at random times. All of them run in this
// process: the store can't tell that from processes, one clock is enough for all
// calls, and two hundred processes would measure how a small machine starts them.
//
// Calls are counted in windows of a length, by when they begin; see [Load]. The
// store is a private server behind a relay that refuses connections while the
// store is to be away. What it would be without jitter is measured beside it:
// the same generators, with waits that grow as theirs do and are equally long in
// all instances.
//
//	load, err := herd.Run(ctx, server, herd.Scene{Instances: 200, Step: 50, Rate: 25, Back: 20 * time.Second, Length: time.Minute})
//
// It is for tests, and for the program in folder run, which draws the loads.
package herd
