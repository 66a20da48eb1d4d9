// Package counter reads the processor's cycle counter, the cheapest thing that
// moves with time.
//
// A reading costs less than half of one of the monotonic clock. It has no unit
// and no fixed beginning: whoever uses it measures its rate, and checks on it.
// Readings aren't ordered with the reads and writes of memory around them, so
// one can be some dozen nanoseconds old.
//
// There is a counter on amd64 (RDTSC) and arm64 (CNTVCT_EL0), but not with the
// build tag purego.
package counter
