// Package metrics measures configurations and segment providers for the modules
// that export to a monitoring system: the list of what there is, with names,
// units and meaning, and its values. So the exporters can't differ.
//
// # Units
//
// Durations are seconds, and +Inf where there is no end. Rates are ids a second.
//
// # Guarantees
//
//   - Values are taken when [Collector.Collect] is called. There is no goroutine,
//     and nothing is added to the way of an id.
//   - Counts don't fall while what they are of is in use. The samples of a
//     sequence id end when it is dropped from its registry; those of a name of a
//     provider hold what its dropped partitions had counted.
//   - Labels are names that the program chose: of configurations, sequence ids,
//     spaces of fences, generators. Partitions, nodes and groups are none.
//     Of sequence ids there are no more than the collector's maximum.
//
// # Non-guarantees
//
//   - The values of one collection are taken one after the other.
//   - Events are counted only where the collector's listener gets them.
package metrics
