package stamp_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/partition"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/telemetry"
)

func TestSourceConfigReportsEveryViolationAtOnce(t *testing.T) {
	_, err := stamp.NewConfig(stamp.Options{
		Source: newProvider(t, store.NewMemory(), nil),
		Layout: stamp.Layout{Time: 41, Node: 7, Sequence: 16},
		Epoch:  time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), Unit: time.Second, Zone: time.Local,
		Node: node.Static(1), Partition: partition.FromContext,
		Codec: encode.Standard(99), Prefix: "Bad",
		MaxAhead: time.Second, AheadPolicy: stamp.Wait, SequenceStart: stamp.Spread, Timeout: -time.Second,
		Clock: clock.Default(), Listener: &telemetry.Listener{}, Registry: sequence.NewRegistry(), Fence: noFence{},
	})
	for _, class := range []error{stamp.ErrLayout, stamp.ErrOptions, stamp.ErrPrefix, encode.ErrCodec} {
		require.ErrorIs(t, err, class)
	}
	for _, text := range []string{
		"add up to 64 bits",
		"7 node bits with a Source",
		"41 time bits with a Source, which counts days in at most 24",
		"Node with a Source",
		"Unit with a Source",
		"MaxAhead with a Source",
		"AheadPolicy with a Source",
		"SequenceStart with a Source",
		"Clock with a Source",
		"Listener with a Source",
		"Registry with a Source",
		"Fence with a Source",
		"Epoch in year 9999",
		"Zone is time.Local",
		"no partition bits",
		"Timeout -1s",
		`"Bad"`,
	} {
		require.ErrorContains(t, err, text)
	}
}

func TestSourceConfigRefuses(t *testing.T) {
	provider := newProvider(t, store.NewMemory(), nil)
	for name, row := range map[string]struct {
		o     stamp.Options
		class error
		text  string
	}{
		"node bits":           {stamp.Options{Layout: stamp.Layout{Node: 3, Sequence: 60}}, stamp.ErrOptions, "3 node bits"},
		"node 0":              {stamp.Options{Node: node.Static(0)}, stamp.ErrOptions, "Node"},
		"no sequence bits":    {stamp.Options{Layout: stamp.Layout{Partition: 39, Time: 24}}, stamp.ErrLayout, "sequence has 0 bits"},
		"62 bits":             {stamp.Options{Layout: stamp.Layout{Sequence: 62}}, stamp.ErrLayout, "62 bits"},
		"milliseconds":        {stamp.Options{Layout: stamp.Layout{Time: 41, Sequence: 22}}, stamp.ErrOptions, "41 time bits"},
		"epoch, no time":      {stamp.Options{Epoch: epoch}, stamp.ErrOptions, "an Epoch, but"},
		"zone, no time":       {stamp.Options{Zone: time.UTC}, stamp.ErrOptions, "a Zone, but"},
		"partition, no bits":  {stamp.Options{Partition: partition.FromContext}, stamp.ErrOptions, "no partition bits"},
		"prefix, no codec":    {stamp.Options{Prefix: "ord_"}, encode.ErrCodec, "ord_"},
		"year 0":              {stamp.Options{Layout: stamp.Layout{Time: 15, Sequence: 48}, Epoch: time.Date(0, 12, 31, 0, 0, 0, 0, time.UTC)}, stamp.ErrOptions, "year 0"},
		"negative time bits":  {stamp.Options{Layout: stamp.Layout{Time: -1, Sequence: 63}}, stamp.ErrLayout, "time has -1 bits"},
		"absurd":              {stamp.Options{Layout: stamp.Layout{Partition: 1 << 62, Time: 1 << 62, Sequence: 63}}, stamp.ErrLayout, "partition"},
		"epoch, negative bit": {stamp.Options{Layout: stamp.Layout{Time: -1, Sequence: 63}, Epoch: epoch}, stamp.ErrOptions, "Epoch"},
	} {
		row.o.Source = provider
		c, err := stamp.NewConfig(row.o)
		require.ErrorIs(t, err, row.class, name)
		require.ErrorContains(t, err, row.text, name)
		require.Nil(t, c, name)
	}
	_, err := stamp.NewConfig(stamp.Options{Node: node.Static(0), Zone: time.UTC})
	require.ErrorIs(t, err, stamp.ErrOptions)
	require.ErrorContains(t, err, "a Zone, but no Source")

	var lost *segment.Provider // whose error somebody didn't look at: the clock, which has no layout like this
	_, err = stamp.NewConfig(stamp.Options{Source: lost, Layout: stamp.Layout{Sequence: 63}})
	require.ErrorIs(t, err, stamp.ErrLayout)
	zero := newConfig(t, stamp.Options{Source: new(segment.Provider)})
	_, err = stamp.Next("orders", zero)
	require.ErrorIs(t, err, stamp.ErrUnknownName)
}

func TestSourceConfigDefaults(t *testing.T) {
	provider := newProvider(t, store.NewMemory(), nil)
	plain := newConfig(t, stamp.Options{Source: provider})
	require.Equal(t, stamp.Layout{Sequence: 63}, plain.Layout())
	require.Same(t, provider, plain.Source())
	require.Nil(t, plain.Zone())
	require.Zero(t, plain.End())
	require.Zero(t, plain.Timescale())
	require.Same(t, sequence.Default(), plain.Registry())
	_, err := plain.Time(1)
	require.ErrorIs(t, err, stamp.ErrNoTime)
	_, err = plain.TimeRange(0, epoch, epoch)
	require.ErrorIs(t, err, stamp.ErrNoTime)

	dated := newConfig(t, stamp.Options{Source: provider, Layout: stamp.Layout{Time: 16, Sequence: 47}})
	require.Equal(t, time.UTC, dated.Zone())
	require.Equal(t, bits.Timescale{Epoch: time.Date(2026, 7, 23, 0, 0, 0, 0, time.UTC), Unit: 24 * time.Hour}, dated.Timescale())
	require.Equal(t, time.Date(2205, 12, 28, 0, 0, 0, 0, time.UTC), dated.End())

	o, _ := isolated()
	clockDriven := newConfig(t, o)
	require.Nil(t, clockDriven.Source())
	require.Nil(t, clockDriven.Zone())
}

// Neither a store nor a clock, group or partition function is asked.
func TestSourceConfigIsPure(t *testing.T) {
	asked := 0
	ask := func(context.Context) (string, error) { asked++; return "a", nil }
	memory := store.NewMemory()
	provider := newProvider(t, memory, generators{"orders": {Group: segment.Group{Func: ask}}})
	c := newConfig(t, stamp.Options{
		Source: provider, Layout: stamp.Layout{Partition: 4, Sequence: 59},
		Partition: func(context.Context) (uint64, error) { asked++; return 0, nil },
	})
	newGenerator(t, "orders", c)
	_, err := newGenerator(t, "orders", c).In(7)
	require.NoError(t, err)
	require.Zero(t, asked)
	require.Empty(t, counters(memory))
}

// noFence stands for any.
type noFence struct{ sequence.Fence }
