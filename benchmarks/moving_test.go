package main

import (
	"testing"
	"time"

	"github.com/bwmarrin/snowflake"
	"github.com/sony/sonyflake/v2"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

// What docs/moving.md says of other libraries' ids.

func TestMovingFromBwmarrin(t *testing.T) {
	nodeBits, stepBits := snowflake.NodeBits, snowflake.StepBits
	snowflake.NodeBits, snowflake.StepBits = 10, 12 // the defaults, which benchmarks change
	t.Cleanup(func() { snowflake.NodeBits, snowflake.StepBits = nodeBits, stepBits })
	old, err := snowflake.NewNode(3)
	require.NoError(t, err)
	preset, ok := bits.PresetByName("snowflake")
	require.True(t, ok)
	require.Equal(t, preset.Timescale.Epoch.UnixMilli(), snowflake.Epoch)
	cfg, err := stamp.NewConfig(stamp.Options{
		Layout: preset.Layout, Epoch: preset.Timescale.Epoch, Unit: preset.Timescale.Unit,
		Node: node.Static(4), Registry: sequence.NewRegistry(),
	})
	require.NoError(t, err)

	id := old.Generate()
	parts, err := cfg.Unpack(stamp.ID(id))
	require.NoError(t, err)
	require.EqualValues(t, id.Node(), parts.Node)
	require.EqualValues(t, id.Step(), parts.Sequence)
	made, err := cfg.Time(stamp.ID(id))
	require.NoError(t, err)
	require.Equal(t, id.Time(), made.UnixMilli())
	require.Equal(t, id.String(), stamp.ID(id).String())
	text, err := id.MarshalJSON()
	require.NoError(t, err)
	var read stamp.ID
	require.NoError(t, read.UnmarshalJSON(text))
	require.EqualValues(t, id, read)
}

func TestMovingFromSonyflake(t *testing.T) {
	old, err := sonyflake.New(sonyflake.Settings{MachineID: func() (int, error) { return 0xABC, nil }})
	require.NoError(t, err)
	epoch := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	cfg, err := stamp.NewConfig(stamp.Options{
		Layout: stamp.Layout{Time: 39, Node: 16, Sequence: 8}, Epoch: epoch, Unit: 10 * time.Millisecond,
		Node: node.Static(0xABC), Registry: sequence.NewRegistry(),
	})
	require.NoError(t, err)

	before := time.Now()
	id, err := old.NextID()
	require.NoError(t, err)
	made, err := cfg.Time(stamp.ID(id))
	require.NoError(t, err)
	require.WithinRange(t, made, before.Add(-time.Minute), time.Now())
	parts, err := cfg.Unpack(stamp.ID(id))
	require.NoError(t, err)
	require.EqualValues(t, old.Decompose(id)["time"], parts.Time)
	require.EqualValues(t, 0xABC, parts.Node&0xff<<8|parts.Sequence, "the machine is last")
}

func TestMovingFromSerial(t *testing.T) {
	provider, err := segment.NewProvider(store.NewMemory(), segment.ProviderOptions{
		Namespace: "shop", Generators: map[string]segment.Options{"orders": {Offset: 81234}},
	})
	require.NoError(t, err)
	cfg, err := stamp.NewConfig(stamp.Options{Source: provider, Layout: stamp.Layout{Sequence: 63}})
	require.NoError(t, err)
	id, err := stamp.Next("orders", cfg)
	require.NoError(t, err)
	require.EqualValues(t, 81235, id)

	clock, err := stamp.NewConfig(stamp.Options{Node: node.Static(0), Registry: sequence.NewRegistry()})
	require.NoError(t, err)
	id, err = stamp.Next("orders", clock)
	require.NoError(t, err)
	require.Greater(t, int64(id), int64(1e16))
}
