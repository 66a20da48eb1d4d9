package stamp_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/partition"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/stamp"
)

func TestConfigReportsEveryViolationAtOnce(t *testing.T) {
	_, err := stamp.NewConfig(stamp.Options{
		Layout:      stamp.Layout{Time: -1, Node: 3, Sequence: 12},
		Unit:        25 * time.Hour,
		Prefix:      "Bad",
		Codec:       encode.Standard(99),
		MaxAhead:    -time.Second,
		AheadPolicy: 9,
		Timeout:     -time.Minute,
		Node:        node.Static(8),
		Partition:   partition.FromContext,
	})
	for _, class := range []error{stamp.ErrLayout, bits.ErrTimescale, sequence.ErrSettings, stamp.ErrOptions, stamp.ErrOutOfRange, encode.ErrPrefix, encode.ErrCodec} {
		require.ErrorIs(t, err, class)
	}
	for _, text := range []string{
		"time has -1 bits, want 1 to 62",
		"add up to 14 bits, want exactly 63 or 53",
		"unit is 25h0m0s, want 1ns to 24h0m0s",
		"MaxAhead -1s",
		"AheadPolicy(9)",
		"Timeout -1m0s",
		"node 8 is above the largest, 7",
		"no partition bits",
		`"Bad"`,
		"Standard(99)",
	} {
		require.ErrorContains(t, err, text)
	}
}

func TestConfigRefuses(t *testing.T) {
	var nilFunc node.Func
	var nilPointer *node.Static
	for name, row := range map[string]struct {
		change func(*stamp.Options)
		class  error
	}{
		"no node":          {func(o *stamp.Options) { o.Layout = stamp.Layout{} }, stamp.ErrOptions},
		"a nil func":       {func(o *stamp.Options) { o.Layout, o.Node = stamp.Layout{}, nilFunc }, stamp.ErrOptions},
		"a nil pointer":    {func(o *stamp.Options) { o.Layout, o.Node = stamp.Layout{}, nilPointer }, stamp.ErrOptions},
		"node too large":   {func(o *stamp.Options) { o.Layout, o.Node = stamp.Layout{}, node.Static(128) }, stamp.ErrOutOfRange},
		"node, no bits":    {func(o *stamp.Options) { o.Node = node.Static(1) }, stamp.ErrOutOfRange},
		"source, no bits":  {func(o *stamp.Options) { o.Node = node.Func(nodeZero) }, stamp.ErrOptions},
		"partition":        {func(o *stamp.Options) { o.Partition = partition.FromContext }, stamp.ErrOptions},
		"no time bits":     {func(o *stamp.Options) { o.Layout = stamp.Layout{Partition: 4, Sequence: 59} }, stamp.ErrLayout},
		"no sequence bits": {func(o *stamp.Options) { o.Layout = stamp.Layout{Time: 63} }, stamp.ErrLayout},
		"64 bits":          {func(o *stamp.Options) { o.Layout = stamp.Layout{Time: 52, Sequence: 12} }, stamp.ErrLayout},
		"negative unit":    {func(o *stamp.Options) { o.Unit = -1 }, bits.ErrTimescale},
	} {
		o, _ := isolated()
		row.change(&o)
		c, err := stamp.NewConfig(o)
		require.ErrorIs(t, err, row.class, name)
		require.Nil(t, c, name)
		require.Panics(t, func() { stamp.MustConfig(o) }, name)
	}
}

func nodeZero(context.Context) (uint64, error) { return 0, nil }

func TestConfigDefaults(t *testing.T) {
	c := newConfig(t, stamp.Options{Node: node.Static(3)})
	require.Equal(t, stamp.Layout{Time: 41, Node: 7, Sequence: 15}, c.Layout())
	require.Equal(t, time.Millisecond, c.Timescale().Unit)
	require.Equal(t, int64(1784842980000), c.Timescale().Epoch.UnixMilli())
	require.Equal(t, 2096, c.End().Year())
	require.Same(t, sequence.Default(), c.Registry())
	text, err := c.Encode(295913926632165376)
	require.NoError(t, err)
	require.Equal(t, "295913926632165376", text)
}

func TestConfigIsPure(t *testing.T) {
	o, clock := isolated()
	asked := 0
	o.Layout = stamp.Layout{Partition: 2, Time: 42, Node: 7, Sequence: 12}
	o.Node = node.Func(func(context.Context) (uint64, error) { asked++; return 0, nil })
	o.Partition = func(context.Context) (uint64, error) { asked++; return 0, nil }
	clock.Step(-2 * time.Hour) // a clock before the epoch isn't noticed
	newConfig(t, o)
	require.Zero(t, asked)
	require.Zero(t, o.Registry.Len())
}

func TestNodeAndPartitionOutOfRangeFailEachCall(t *testing.T) {
	o, _ := isolated()
	o.Layout = stamp.Layout{Partition: 2, Time: 42, Node: 7, Sequence: 12}
	number, p := uint64(128), uint64(3)
	broken := errors.New("no node number today")
	var nodeErr, partitionErr error
	o.Node = node.Func(func(context.Context) (uint64, error) { return number, nodeErr })
	o.Partition = func(context.Context) (uint64, error) { return p, partitionErr }
	c := newConfig(t, o)
	g := newGenerator(t, "orders", c)
	calls := map[string]func() error{
		"Next":        func() error { _, err := stamp.Next("orders", c); return err },
		"NextContext": func() error { _, err := stamp.NextContext(context.Background(), "orders", c); return err },
		"g.Next":      func() error { _, err := g.Next(); return err },
		"g.NextAt":    func() error { _, err := g.NextAt(start); return err },
		"g.Append":    func() error { _, err := g.Append(context.Background(), nil, 5); return err },
	}
	for name, call := range calls {
		number, p, nodeErr, partitionErr = 128, 3, nil, nil
		for range 2 {
			require.Equal(t, &bits.ValueError{Field: "node", Value: 128, Max: 127}, call(), name)
		}
		number, p = 127, 4
		require.Equal(t, &bits.ValueError{Field: "partition", Value: 4, Max: 3}, call(), name)
		p, nodeErr = 3, broken
		require.ErrorIs(t, call(), broken, name)
		nodeErr, partitionErr = nil, broken
		require.ErrorIs(t, call(), broken, name)
		partitionErr = nil
		require.NoError(t, call(), name)
	}
	_, err := stamp.NextIn("orders", c, 4)
	require.ErrorIs(t, err, stamp.ErrOutOfRange)
	_, err = g.In(4)
	require.ErrorIs(t, err, stamp.ErrOutOfRange)
}

func TestPartitionFromContext(t *testing.T) {
	o, _ := partitioned()
	o.Partition = partition.FromContext
	c := newConfig(t, o)
	g := newGenerator(t, "orders", c)
	for p := range uint64(8) {
		ctx := partition.NewContext(context.Background(), p)
		id, err := stamp.NextContext(ctx, "orders", c)
		require.NoError(t, err)
		require.Equal(t, p, unpack(t, c, id).Partition)
		ids, err := g.Append(ctx, nil, 3)
		require.NoError(t, err)
		require.Equal(t, []stamp.ID{id + 1, id + 2, id + 3}, ids)
	}
	_, err := stamp.Next("orders", c)
	require.ErrorIs(t, err, stamp.ErrNoPartition)
	_, err = stamp.NextContext(partition.NewContext(context.Background(), 8), "orders", c)
	require.ErrorIs(t, err, stamp.ErrOutOfRange)
}

func TestPartitionMustBeNamed(t *testing.T) {
	o, _ := partitioned()
	c := newConfig(t, o)
	_, err := stamp.Next("orders", c)
	require.ErrorIs(t, err, stamp.ErrNoPartition)
	g := newGenerator(t, "orders", c) // of use for In
	_, err = g.Next()
	require.ErrorIs(t, err, stamp.ErrNoPartition)
	_, err = g.Append(context.Background(), nil, 1)
	require.ErrorIs(t, err, stamp.ErrNoPartition)

	o, _ = isolated()
	_, err = stamp.NextIn("orders", newConfig(t, o), 1)
	require.ErrorIs(t, err, stamp.ErrOutOfRange, "no partition bits")
}
