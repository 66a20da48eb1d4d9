// Package watch tells over HTTP how generators of segments stand: what they hold,
// how fast it is used up, when it ends, and who had to wait. The command stampd
// watch shows what many programs tell so.
//
//	http.Handle("GET "+watch.Path, watch.NewHandler(provider.Generators))
//
// # Units
//
// An answer is one [Report] in JSON. Stock, waste and distances are whole numbers,
// rates ids a second, durations seconds with a fraction. A duration that has no end,
// as that of a stock which nobody uses, is null. Numbers that may pass 2^53 are
// texts.
//
// # Guarantees
//
//   - An answer asks nothing of a store, and holds a generator's lock for a
//     moment: it can be asked for every second.
//   - What one release writes, [Read] of a later one reads. A reader ignores what it
//     doesn't know.
//
// # What isn't guaranteed
//
//   - The generators of a report are read one after the other, not at one instant.
//   - The handler asks nobody for credentials. It tells names of counters and how
//     many ids are used: mount it where only operators come.
package watch
