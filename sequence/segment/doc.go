// Package segment hands out numbers from segments, ranges that are reserved
// from a counter in a shared store: each number to exactly one caller in the
// world, without a call to the store for each.
//
// # Units
//
// A segment is Step numbers. Distances are counted in segments, what Stats
// tells about stock in ids, rates in ids a second.
//
// # Modes
//
//   - [Chain], the default, keeps SafeDistance segments or more in reserve. It
//     fetches in the background, and more at once when callers ran dry.
//   - [DoubleBuffer] keeps one spare segment, fetched in the background when
//     the current one runs low.
//   - [Sync] has no reserve: the caller that finds the segment empty fetches
//     the next.
//
// In all of them callers that find no number left share one fetch.
//
// # Guarantees
//
//   - A number is given to one caller. The numbers of one generator, and of
//     one group of it, rise: a goroutine sees its own rise. They begin at
//     Offset + 1 and are never negative.
//   - A generator has at most one fetch in flight. It runs on a context of the
//     generator's own and ends at FetchTimeout, whatever the store does. What
//     it may have reserved by then is never given out.
//   - No lock is held over a call to the store, and a caller waits for nothing
//     but its own context and the fetch.
//   - While there are numbers, a failing store is not noticed by callers.
//     Without numbers they get an error at once until the next attempt is due.
//   - A group by function whose counter can't be used, since the store refuses its
//     name or it is used up, keeps no other group from fetching.
//   - A store that returns a range below what it had returned before, or that
//     has lost a counter, stops the generator: [ErrRolledBack].
//   - Without TTL and Group, [Generator.Next] is one atomic add and one
//     comparison: it reads no clock, takes no lock and doesn't allocate.
//   - Nothing here runs before a generator is first used. An idle generator
//     has no goroutine.
//
// # What it can't promise
//
//   - Numbers have gaps: what a process holds when it ends is lost, and so is
//     what a fetch of unknown outcome reserved, and what expires.
//   - Across processes the order of numbers is off by about Step times the
//     number of processes, also with a Step of 1.
//   - A store that was rolled back before this process had a number from it
//     can't be told from a sound one. That takes an [Audit], see [NewAudit].
//   - A store call that ignores its context keeps its goroutine.
package segment
