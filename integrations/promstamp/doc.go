// Package promstamp exports to Prometheus how ids are made: one collector shows
// configurations, the sequences of their registries, their fences and node
// leases, and segment providers.
//
// # Units
//
// Durations are seconds, +Inf where there is no end; rates are ids a second.
// Names begin with stamp_. [Collector.Describe] and the help texts list them,
// and alerts.yaml has rules to begin with.
//
// # Guarantees
//
//   - Values are read when Prometheus asks. There is no goroutine, and an id costs
//     what it does without.
//   - Labels are names that the program chose: config, sequence, space, namespace
//     and generator. Partitions, nodes and groups are none. Sequence ids beyond
//     Options.MaxSequences have no series; stamp_sequences_unlisted counts them.
//   - The series of a sequence id end once it is dropped from its registry.
//     Those of a generator keep what its dropped partitions had counted.
//
// # Non-guarantees
//
//   - Overflows, duplicates, clock steps and the renewals of fences are events.
//     They are counted from the moment on when [Collector.Listener] is listening.
//   - A node source that is no number is asked, and ends a second later at most if
//     it heeds its context. A fence that isn't held yet is asked for.
//   - stamp_ids_total counts claims; see sequence.Usage.
//
// A program makes one collector, subscribes its listener, and says what to watch:
//
//	metrics := promstamp.New(promstamp.Options{})
//	defer telemetry.SubscribeListener(metrics.Listener())()
//	prometheus.MustRegister(metrics)
//	err := errors.Join(metrics.Watch("orders", cfg), metrics.WatchProvider(provider))
package promstamp
