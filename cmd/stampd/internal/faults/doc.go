// Package faults breaks things by a schedule: workers and their clocks, the
// server of their store and the connections to it, the disk of a folder.
//
//	plan := faults.Plan{Workers: 4, Kind: server.Kind}
//	events := faults.Schedule(seed, time.Minute, plan)
//	err := victims.Inflict(ctx, events)
//
// The faults, their times and lengths come from a seed: the same seed and plan
// give the same [Schedule]. What they meet is up to the machine.
//
// It is for tests and for the chaos program.
package faults
