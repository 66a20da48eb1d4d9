// Package chaos looks for duplicate numbers. Processes take numbers from one
// counter while they are killed and frozen, their store's server is killed,
// frozen and locked, and their connections are broken; all that they were given
// is then compared.
//
// # What counts as given out
//
// A number counts from the moment when a call of the generator has returned it
// to the goroutine that asked. The goroutine then appends it to a [Log] of its own,
// in one write to the file, so that it is there when the process is killed in
// the next moment. A process that dies between the two leaves out one number, or
// one batch, of each goroutine: that can hide a duplicate of just those, and can't
// make one up.
//
// # What is checked
//
//   - Every number of all logs is there once. See [Check].
//   - The numbers of a goroutine rise, over the restarts of its process too.
//   - No number is above what the counter stands at in the end: what was
//     acknowledged has survived.
//   - No generator has stopped, and no error is of another kind than those that
//     an outage explains.
//
// The faults, the settings of the generators and their load come from a seed; see
// package faults.
//
// It is for tests, and for the program in folder run. Both call [RunChild] at
// their beginning: workers are the program itself in other processes.
package chaos
