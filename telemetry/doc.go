// Package telemetry tells subscribers what an operator wants to know about
// running sequences: each event is delivered once to everybody who asked for
// its kind, and no subscriber can make a caller lose its id.
//
// The kinds of event are [Overflow], [Ahead], [ClockStep], [Expiring],
// [ClockOffset] and [Duplicate], and of fences [FenceRenewed], [FenceFailed],
// [FenceLost] and [FenceBehind]. A program listens process-wide with [Subscribe]
// or [SubscribeListener], and to one configuration with a [Listener].
// [NewSlogListener] makes a listener that logs at a limited rate. ClockOffset and
// Duplicate are emitted by programs, with [Emit].
//
// # Units
//
// Field by field as documented on the events: durations are time.Duration,
// instants are time.Time, and Overflow's Time and LastTime are whole units of
// the sequence's configuration since its epoch.
//
// # Guarantees
//
//   - An event is delivered synchronously, on the goroutine that caused it,
//     after the id is claimed and with no lock held: first to the
//     configuration's listener, then to the process-wide subscribers, in the
//     order in which they subscribed. A slow subscriber delays that one call
//     and nobody else.
//   - No event is dropped because others are being delivered: subscribers are
//     called from many goroutines at once and must be safe for that.
//   - A subscriber that panics is recovered and stays subscribed. Its first
//     panic is logged with [slog.Default] at error level, with value and stack.
//   - A subscriber isn't called again from within its own delivery. Events
//     that it causes there, on the same goroutine, go to the other subscribers
//     only; so two subscribers that both make ids can't call each other for
//     ever. What is held back this way is counted: [Suppressed].
//   - With nobody listening, [Emit] costs a few nanoseconds and doesn't
//     allocate.
//
// # Non-guarantees
//
//   - A subscriber that hands work to another goroutine which makes ids isn't
//     protected from the events of those ids.
//   - runtime.Goexit in a subscriber ends the goroutine of the caller, as it
//     would anywhere else.
//   - Events of different goroutines reach a subscriber in no set order.
package telemetry
