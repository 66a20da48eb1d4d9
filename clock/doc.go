// Package clock reads time for sequences of ids: the wall clock that ids
// carry, and a reference time that no step of the wall clock can move back.
//
// # What a reading holds
//
//   - Wall is the operating system's wall clock. Steps back are followed at
//     once. A step forward beyond MaxStep is held: Wall goes on from where it
//     was, at the pace of the monotonic clock, until the wall clock has been
//     read so for StepConfirm. One second of a wrong answer from a time server
//     then can't push ids years ahead.
//   - Reference is the highest wall reading so far, moved on by the monotonic
//     clock. How far a sequence is ahead is measured against it, so a wall
//     clock that steps back by an hour makes nothing ahead.
//   - Monotonic counts from a fixed point of the clock and never goes back.
//
// # The processor's counter
//
// A sequence looks at the operating system's clock about once per unit of time.
// In between it only has to know that the unit can't have ended. By the strategy
// [Portable] the monotonic clock tells that, and by [Counter] the processor's
// cycle counter, where that is known to run at a constant rate; [Auto] chooses.
// All promise the same: the wall clock is read again when the unit can have
// ended, and within 10 ms, and so a step of it is noticed by then.
//
// The counter's rate is measured twice over 20 ms and then again each second, and
// each reading of the clock is checked against it. A counter that jumps, stands
// still or changes its pace isn't relied on until its rate was measured anew, and
// after eight times within an hour of each other not any more. What such a fault
// can do is to let an old unit's time be used for one unit more, at most for 10 ms
// of calls. It doesn't touch the order of ids or that each is given out once,
// which the clock has no part in.
//
// In a testing/synctest bubble, and with Options.Wall, no counter is read.
//
// # Limits
//
// Each reading is exact to the resolution of the operating system's clock. A
// reading further than 146 years from the clock's first is cut to that
// distance. On systems whose monotonic clock stands still while the machine is
// suspended, waking up looks like a step forward, and is held like one.
//
// A clock keeps one reference time. Programs use [Default], which all
// sequences share; tests use [NewManual], or [NewSystem] inside a
// testing/synctest bubble.
//
// How far the wall clock is off, as time servers see it, is told by package
// ntpwatch.
package clock
