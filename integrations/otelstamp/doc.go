// Package otelstamp exports by OpenTelemetry's metric API how ids are made:
// configurations, the sequences of their registries, their fences and node
// leases, and segment providers.
//
// # Units
//
// Durations are seconds ("s"), without a value where there is no end; rates are
// ids a second. Names begin with stamp. and each instrument has a description.
// They are those of package promstamp in OpenTelemetry's spelling: stamp.fence.left
// is stamp_fence_left_seconds there. The API has no observable histogram, so
// instead of one, as of stamp.segment.fetch.duration, there are counters of its
// count and sum and a gauge of its 99th percentile: ….count, ….sum and ….p99.
//
// # Guarantees
//
//   - Values are read when the meter provider's reader asks. There is no
//     goroutine, and an id costs what it does without.
//   - Attributes are names that the program chose: stamp.config, .sequence, .space,
//     .namespace and .generator. Partitions, nodes and groups are none. Sequence ids
//     beyond Options.MaxSequences have no series; stamp.sequences.unlisted counts
//     them.
//   - A sequence id isn't observed any more once it is dropped from its registry.
//     What is observed of a generator keeps what its dropped partitions had counted.
//   - After [Metrics.Shutdown] nothing is observed.
//
// # Non-guarantees
//
//   - Overflows, duplicates, clock steps and the renewals of fences are events.
//     They are counted from the moment on when [Metrics.Listener] is listening.
//   - A node source that is no number is asked, within the reader's context and for
//     a second at most if it heeds that. A fence that isn't held yet is asked for.
//   - stamp.ids counts claims; see sequence.Usage.
//
// A program makes one of these, subscribes its listener, and says what to watch:
//
//	metrics, err := otelstamp.New(otelstamp.Options{}) // the global meter provider
//	defer telemetry.SubscribeListener(metrics.Listener())()
//	err = errors.Join(metrics.Watch("orders", cfg), metrics.WatchProvider(provider))
package otelstamp
