// Package bits packs partition, time, node and sequence into one positive
// integer and takes them apart again, so that ids sort by partition, then by
// time, then by node, then by sequence.
//
// # The id
//
// An id is a signed 64-bit integer from 1 to the layout's largest id. The
// fields stand from the most significant bit down, without gaps:
//
//	 63 62                                                            0
//	┌──┬───────────┬───────────────────────┬──────────┬────────────────┐
//	│ 0│ partition │ time                  │ node     │ sequence       │
//	└──┴───────────┴───────────────────────┴──────────┴────────────────┘
//	    0 bits or   units since the epoch   0 bits or   1 bit or more
//	    more                                more
//
// The widths add up to exactly 63, or to exactly 53 for ids that the numbers
// of JavaScript hold exactly; the bits above are then 0. A width of 0 means
// that the field doesn't exist. The partition stands on top so that the ids of
// one partition are one contiguous range.
//
// Id 0 is never made: it is the zero value of an id.
//
// # Units
//
// The time field counts whole units of a [Timescale] since its epoch. A
// Timescale turns instants into units and back, exactly, for every time.Time.
// Layout and Timescale together are the data format of stored ids: chosen once
// and kept.
//
// # Guarantees
//
//   - What [Layout.Pack] makes, [Layout.Unpack] takes apart into the same
//     parts, and the other way round.
//   - No value runs into a neighbouring field: a value that its field can't
//     hold is an error.
//   - Ranges are inclusive at both ends, as BETWEEN is in SQL, so that the
//     range of the last partition can be written down too.
//   - Nothing panics, also with a layout or a timescale that Validate refuses.
//
// Packing says nothing about uniqueness: equal parts give equal ids.
//
// Everything here is a value without hidden state and safe for concurrent use.
package bits
