package bits

import "time"

// Preset is the layout and the timescale of a known format of ids.
type Preset struct {
	Name      string
	Layout    Layout
	Timescale Timescale
}

// Default returns the preset "stamp", for new ids: no partitions, 128 nodes,
// 32,768 ids in a millisecond, until the year 2096.
func Default() Preset {
	return Preset{
		Name:      "stamp",
		Layout:    Layout{Partition: 0, Time: 41, Node: 7, Sequence: 15},
		Timescale: milliseconds(1784842980000),
	}
}

// Presets returns all presets, Default first; the slice is the caller's.
//
//   - "stamp": the default of Stamp, the library for Elixir, epoch
//     2026-07-23T21:43:00Z.
//   - "snowflake": Snowflake, the id service of Twitter, epoch
//     2010-11-04T01:42:54.657Z.
//   - "cosid": the default of CosId's SnowflakeId, epoch 2019-12-24T16:00:00Z.
func Presets() []Preset {
	return []Preset{
		Default(),
		{
			Name:      "snowflake",
			Layout:    Layout{Partition: 0, Time: 41, Node: 10, Sequence: 12},
			Timescale: milliseconds(1288834974657),
		},
		{
			Name:      "cosid",
			Layout:    Layout{Partition: 0, Time: 41, Node: 10, Sequence: 12},
			Timescale: milliseconds(1577203200000),
		},
	}
}

// PresetByName returns the preset of that name, in lower case; false if there
// is none.
func PresetByName(name string) (Preset, bool) {
	for _, p := range Presets() {
		if p.Name == name {
			return p, true
		}
	}
	return Preset{}, false
}

// milliseconds is a timescale of milliseconds since an epoch that is itself in
// milliseconds since 1970.
func milliseconds(epoch int64) Timescale {
	return Timescale{Epoch: time.UnixMilli(epoch).UTC(), Unit: time.Millisecond}
}
