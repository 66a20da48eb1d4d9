// Package clock reads time for sequences of ids: the wall clock that ids
// carry, and a reference time that no step of the wall clock can move back. It
// also tells how far the wall clock is off.
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
// # How far the clock is off
//
// [NTP] measures the offset of the system clock by asking time servers: as a
// gate before a node starts ([NTP.Check]), and as a watch while it runs
// ([NTP.Watch]). It is never where the time of an id comes from, and it sets no
// clock; that is the operating system's business.
//
// An offset is right to within its Bound if its server is honest. Of three or
// more servers a minority may lie. Packets aren't authenticated: who can change
// what is on the network can change the result. A kiss of death is heeded:
// RATE halves the rate at which the server is asked, DENY and RSTR end it for
// the life of the NTP value.
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
package clock
