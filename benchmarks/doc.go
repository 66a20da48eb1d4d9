// Command benchmarks compares go-stamp with its floors and with other
// libraries.
//
//	go run . [-rounds n] [-only regexp] [-procs n] [-json | -markdown]
//
// A floor is the least that an operation can cost: an atomic add, a clock read
// and an add, one allocation. What is compared is measured in pairs, one
// directly after the other, in short slices. A round measures every pair once;
// the next round starts at another pair and swaps the two sides. Reported is
// the median over all rounds of the ratio within a pair, with its quartiles,
// so that load and changes of the processor's speed touch both sides alike.
//
// Only ratios carry over to another machine. The nanoseconds are those of the
// machine, and the minute, that printed them.
//
// A row that misses its target is printed as MISS and is no failure. The
// command fails, with exit code 1, when something is broken: ids that are
// zero or repeat, calls that return errors, texts that don't read back.
package main
