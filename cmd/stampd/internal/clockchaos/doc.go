// Package clockchaos looks for duplicate ids of clock-driven sequences under a
// fence. Processes make ids while they are killed and frozen, their clocks are
// set by seconds and by hours, several of them fight for one node number or lease
// some of too few, and the store of the records is killed, cut off, filled or made
// read-only; all ids are then compared.
//
// # What counts as given out
//
// An id counts from the moment when a call has returned it to the goroutine that
// asked. The goroutine then appends it to a [Log] of its own, in one write to the
// file, so that it is there when the process is killed in the next moment.
// A process that dies between the two leaves out the ids of that call: that can
// hide a duplicate of just those, and can't make one up.
//
// # What is checked
//
//   - No id of a sequence was made twice, by whichever processes. See [Check].
//   - The ids of a sequence rise in each goroutine, over the restarts of its process
//     too.
//   - Every id lies inside its layout, with the node and partition that it was made
//     for.
//   - The id times of two holders of one node are disjoint. A holder is a fence in
//     a process; one that has lost its record is followed by another.
//   - No id's time has reached the bound that is stored in the end.
//   - A copy of the fence's folder is refused.
//   - No error is of another kind than those that the faults explain: a record that
//     went back, or can't be understood, is none of them.
//
// The faults, the settings of the fences and the load come from a seed; see
// package faults.
//
// It is for tests, and for the chaos program. Both call [RunChild] at their
// beginning: workers are the program itself in other processes.
package clockchaos
