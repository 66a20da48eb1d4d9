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
