// Package fence keeps a durable upper bound on the times of ids, so that no id
// repeats over restarts, crashes and steps of the clock.
//
// A process alone can't promise that: when it dies it forgets how far a burst
// had driven time ahead of the clock, and the next one may find a clock that
// was set back. A fence stores, for each node number, a time that all ids lie
// below; and a process that starts makes none below the time that it finds.
//
// # Guarantees
//
//   - An id's time is below a bound that was durable in the store before the id
//     was claimed, and not below the bound that was durable when its process
//     took the record. So the ids of two processes that had the node one after
//     the other have different times. That rests on no clock and no time-out.
//   - That holds for all sequences of the node, also for those that a process
//     uses first hours after its start, and for dropped ones that come back.
//   - A record that another process took, or that went back, stops this one with
//     [ErrLost]: at the bound that it had stored last, or at once if the store
//     went back.
//   - A write whose outcome is unknown is read back. A client library that
//     repeats it by itself doesn't make a success look like a loss.
//   - [Fence.Close] leaves the time after the last id as the bound, so that the
//     next start needn't wait.
//   - With a fence, ids run ahead of the clock by no more than
//     [Options].Window under the policy Advance, and the bound is never further
//     ahead of it than Cap, also after a thousand crashes in a row. (NextAt is
//     under the same limits.)
//   - Making an id costs what it costs without: it compares with the bound in
//     memory.
//
// # What isn't guaranteed
//
//   - Anything, if the store loses what it said it had stored: restored from a
//     backup, failed over to a replica that lagged, an identical clone of a
//     machine. If that happens while a process runs, its next renewal notices.
//   - Anything, if two programs use one node number under different names, or
//     one of them without a fence.
//   - That two living processes with one node number are told at the start:
//     usually the second is refused with [ErrHeld], but where clocks differ by
//     more than a window, and with [BeginAtBound], it takes the record and the
//     first stops. Ids are distinct in any case.
//
// # How it works
//
// A space is a name together with layout, unit and epoch of ids. For each space
// and node there is one [Record], which one goroutine takes at the first id and
// renews when less than half a window is left:
//
//	bound = max(clock, last id + 1) + window
//
// A call that reaches the bound waits for that renewal, as long as its context
// or timeout lets it; under the policy Fail it fails at once. When the store
// is away, ids go on below the bound that is stored, for up to a window.
//
// At the start the clock may be behind the bound found: by up to a window after
// a crash, and more if it was set back. [Options].Start says whether to wait for
// it or to begin at the bound, up to Cap; beyond it no id is made until the clock
// is near enough, and calls fail or wait as [Options].BeyondCap says.
//
// # Use
//
//	f, err := fence.New(records, fence.Options{Space: "orders-prod"})
//	cfg, err := stamp.NewConfig(stamp.Options{Node: node.Static(3), Fence: f})
//	err = cfg.Open(ctx)    // optional: take the record now
//	id, err := stamp.Next("orders", cfg)
//	err = f.Close(ctx)     // at the end
//
// Records come from any store that has them: package sqlstore, redisstore,
// proxystore or another. [File] keeps them in a folder of the machine.
package fence
