package stamp_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/partition"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

// Everything above the source is that of ids from the clock.
func TestSourceWithoutPartitions(t *testing.T) {
	memory := store.NewMemory()
	c := newConfig(t, stamp.Options{
		Source: newProvider(t, memory, generators{"orders": {Step: 5}}), Codec: encode.Base62, Prefix: "ord_",
	})
	g := newGenerator(t, "orders", c)
	require.Equal(t, stamp.ID(1), next(t, "orders", c))
	id, err := g.Next()
	require.NoError(t, err)
	require.Equal(t, stamp.ID(2), id)
	id, err = stamp.NextIn("orders", c, 0)
	require.NoError(t, err)
	require.Equal(t, stamp.ID(3), id)
	id, err = g.NextContext(background)
	require.NoError(t, err)
	require.Equal(t, stamp.ID(4), id)
	id, err = stamp.NextContext(background, "orders", c)
	require.NoError(t, err)
	require.Equal(t, stamp.ID(5), id)
	ids, err := g.Append(background, []stamp.ID{9}, 7) // over several segments
	require.NoError(t, err)
	require.Equal(t, []stamp.ID{9, 6, 7, 8, 9, 10, 11, 12}, ids)
	require.Equal(t, map[string]int64{"shop.orders": 15}, counters(memory))

	text, err := c.Encode(12)
	require.NoError(t, err)
	require.Equal(t, "ord_0000000000C", text)
	id, err = c.Decode(text)
	require.NoError(t, err)
	require.Equal(t, stamp.ID(12), id)
	require.Equal(t, stamp.Parts{Sequence: 12, Has: bits.Fields{Sequence: true}}, unpack(t, c, id))
	id, err = c.Compose(stamp.Parts{Sequence: 77})
	require.NoError(t, err)
	require.Equal(t, stamp.ID(77), id)
	r, err := c.PartitionRange(0)
	require.NoError(t, err)
	require.Equal(t, bits.Range{First: 0, Last: math.MaxInt64}, r)
}

func TestSourceWithPartitions(t *testing.T) {
	memory := store.NewMemory()
	c := newConfig(t, stamp.Options{
		Source:    newProvider(t, memory, generators{"orders": {Step: 10}}),
		Layout:    stamp.Layout{Partition: 4, Sequence: 59},
		Partition: partition.FromContext,
	})
	g := newGenerator(t, "orders", c)
	for _, p := range []uint64{0, 7, 15} {
		r, err := c.PartitionRange(p)
		require.NoError(t, err)
		in, err := g.In(p)
		require.NoError(t, err)
		ctx := partition.NewContext(background, p)
		var ids []stamp.ID
		for _, call := range []func() (stamp.ID, error){
			in.Next,
			func() (stamp.ID, error) { return stamp.NextIn("orders", c, p) },
			func() (stamp.ID, error) { return stamp.NextContext(ctx, "orders", c) },
			func() (stamp.ID, error) { return g.NextContext(ctx) },
			func() (stamp.ID, error) { return in.NextContext(background) },
		} {
			id, err := call()
			require.NoError(t, err)
			ids = append(ids, id)
		}
		ids, err = g.Append(ctx, ids, 3)
		require.NoError(t, err)
		ids, err = in.Append(background, ids, 3)
		require.NoError(t, err)
		for i, id := range ids {
			require.True(t, r.Contains(int64(id)))
			require.Equal(t, stamp.Parts{Partition: p, Sequence: uint64(i + 1), Has: c.Layout().Fields()}, unpack(t, c, id))
		}
	}
	require.Equal(t, map[string]int64{"shop.orders#0": 20, "shop.orders#7": 20, "shop.orders#15": 20}, counters(memory))

	_, err := stamp.NextIn("orders", c, 16)
	require.Equal(t, &bits.ValueError{Field: "partition", Value: 16, Max: 15}, err)
	_, err = g.In(16)
	require.ErrorIs(t, err, stamp.ErrOutOfRange)
	_, err = stamp.NextContext(partition.NewContext(background, math.MaxUint64), "orders", c)
	require.ErrorIs(t, err, stamp.ErrOutOfRange)
	for _, call := range []func() error{
		func() error { _, err := stamp.Next("orders", c); return err },
		func() error { _, err := g.Next(); return err },
		func() error { _, err := g.Append(background, nil, 1); return err },
	} {
		require.ErrorIs(t, call(), stamp.ErrNoPartition)
	}
	require.Len(t, counters(memory), 3, "what is refused touches no counter")
}

func TestSourceFunctionsFailEachCall(t *testing.T) {
	p, broken := uint64(3), errors.New("no tenant")
	var failure error
	c := newConfig(t, stamp.Options{
		Source: newProvider(t, store.NewMemory(), generators{"orders": {}}),
		Layout: stamp.Layout{Partition: 2, Sequence: 61},
		Partition: func(ctx context.Context) (uint64, error) {
			require.NotNil(t, ctx)
			return p, failure
		},
	})
	g := newGenerator(t, "orders", c)
	for name, call := range map[string]func() error{
		"Next":        func() error { _, err := stamp.Next("orders", c); return err },
		"NextContext": func() error { _, err := stamp.NextContext(background, "orders", c); return err },
		"g.Next":      func() error { _, err := g.Next(); return err },
		"g.Append":    func() error { _, err := g.Append(background, nil, 5); return err },
		"g.Append, 0": func() error { _, err := g.Append(none, nil, 5); return err },
	} {
		p, failure = 4, nil
		require.Equal(t, &bits.ValueError{Field: "partition", Value: 4, Max: 3}, call(), name)
		p, failure = 3, broken
		require.ErrorIs(t, call(), broken, name)
		failure = nil
		require.NoError(t, call(), name)
	}
}

func TestSourceNames(t *testing.T) {
	c := newConfig(t, stamp.Options{Source: newProvider(t, store.NewMemory(), generators{"orders": {}, "invoices": {}})})
	require.Equal(t, stamp.ID(1), next(t, segment.Share, c))
	for _, call := range []func(id string) error{
		func(id string) error { _, err := stamp.Next(id, c); return err },
		func(id string) error { _, err := stamp.NextIn(id, c, 0); return err },
		func(id string) error { _, err := stamp.NewGenerator(id, c); return err },
		func(id string) error { _, err := stamp.NextGrouped(background, id, c); return err },
		func(id string) error { _, err := stamp.NewFormat(id, c, encode.FormatOptions{}); return err },
	} {
		require.ErrorIs(t, call(""), stamp.ErrNoID)
		err := call("order")
		require.ErrorIs(t, err, stamp.ErrUnknownName)
		require.Equal(t, &segment.UnknownNameError{Name: "order", Known: []string{"__share__", "invoices", "orders"}}, err)
	}
	require.Panics(t, func() { stamp.MustGenerator("order", c) })
}

// The number is lost, and the caller hears which it was.
func TestNumbersAboveTheSequenceBits(t *testing.T) {
	for name, partitions := range map[string]int{"": 0, " in partition 5": 3} {
		layout := stamp.Layout{Partition: partitions, Time: 15, Sequence: 48 - partitions}
		largest := int64(layout.MaxSequence())
		manual := clock.NewManual(epoch)
		options := daily(manual, nil)
		options.Offset = largest - 3
		c := newConfig(t, stamp.Options{
			Source: newProvider(t, store.NewMemory(), generators{"orders": options}), Layout: layout, Epoch: epoch,
		})
		g := newGenerator(t, "orders", c)
		p := uint64(0)
		if partitions > 0 {
			p = 5
			var err error
			g, err = g.In(p)
			require.NoError(t, err)
		}
		ids, err := g.Append(background, nil, 2)
		require.NoError(t, err)
		require.Equal(t, stamp.Parts{Partition: p, Sequence: uint64(largest - 2), Has: layout.Fields()}, unpack(t, c, ids[0]))
		ids, err = g.Append(background, ids, 5)
		require.Len(t, ids, 3, "what fits is given out")
		require.Equal(t, stamp.Parts{Partition: p, Sequence: uint64(largest), Has: layout.Fields()}, unpack(t, c, ids[2]))
		var exhausted *stamp.SequenceExhaustedError
		require.ErrorAs(t, err, &exhausted)
		require.Equal(t, stamp.SequenceExhaustedError{
			SequenceID: "orders", Partition: p, Group: "20260101", Value: uint64(largest + 1), Max: uint64(largest),
		}, *exhausted)
		require.ErrorContains(t, err, `of "orders"`+name+` in group "20260101" is above the largest sequence number`)
		for _, call := range []func() error{
			func() error { _, err := g.Next(); return err },
			func() error { _, err := g.NextContext(background); return err },
			func() error { _, err := stamp.NextIn("orders", c, p); return err },
			func() error { _, err := g.NextGrouped(background); return err },
			func() error { ids, err := g.Append(background, nil, 3); require.Empty(t, ids); return err },
			func() error { v, err := g.AppendGrouped(background, nil, 3); require.Empty(t, v); return err },
		} {
			err := call()
			require.ErrorIs(t, err, stamp.ErrSequenceExhausted)
			require.ErrorIs(t, err, stamp.ErrOutOfRange)
		}
		manual.Advance(24 * time.Hour) // which begins anew
		id, err := g.Next()
		require.NoError(t, err)
		require.Equal(t, stamp.Parts{Partition: p, Time: 1, Sequence: uint64(largest - 2), Has: layout.Fields()}, unpack(t, c, id))
	}
}

// A segment that goes over the bound: what lies above it is refused although it
// is at hand, and doesn't run into the bits above.
func TestSegmentsOverTheBound(t *testing.T) {
	for _, layout := range []stamp.Layout{{Partition: 43, Sequence: 20}, {Partition: 30, Time: 13, Sequence: 20}} {
		options := segment.Options{Step: 100}
		o := stamp.Options{Layout: layout}
		if layout.Time > 0 {
			options, o.Epoch = daily(clock.NewManual(start), nil), epoch
			options.Step = 100
		}
		options.Offset = 1<<20 - 4
		o.Source = newProvider(t, store.NewMemory(), generators{"orders": options})
		c := newConfig(t, o)
		g, err := newGenerator(t, "orders", c).In(5)
		require.NoError(t, err)
		for i := range uint64(3) {
			id, err := g.Next()
			require.NoError(t, err)
			require.Equal(t, stamp.Parts{Partition: 5, Sequence: 1<<20 - 3 + i, Has: layout.Fields()}, unpack(t, c, id))
		}
		for range 5 {
			for _, call := range []func() (stamp.ID, error){g.Next, func() (stamp.ID, error) { return stamp.NextIn("orders", c, 5) }} {
				id, err := call()
				require.ErrorIs(t, err, stamp.ErrSequenceExhausted)
				require.Zero(t, id)
			}
		}
	}
}

func TestNumbersUpToTheLastInt64(t *testing.T) {
	c := newConfig(t, stamp.Options{Source: newProvider(t, store.NewMemory(), generators{"orders": {Step: 3, Offset: math.MaxInt64 - 3}})})
	g := newGenerator(t, "orders", c)
	ids, err := g.Append(background, nil, 5)
	require.Equal(t, []stamp.ID{math.MaxInt64 - 2, math.MaxInt64 - 1, math.MaxInt64}, ids)
	require.ErrorIs(t, err, store.ErrExhausted)
	_, err = g.Next()
	require.ErrorIs(t, err, stamp.ErrBackoff)
}

func TestSourceBatchSizes(t *testing.T) {
	c := newConfig(t, stamp.Options{Source: newProvider(t, store.NewMemory(), generators{"orders": {Step: 1 << 20}})})
	g := newGenerator(t, "orders", c)
	for _, n := range []int{0, -1, 1<<20 + 1, math.MinInt, math.MaxInt} {
		dst, err := g.Append(background, []stamp.ID{1, 2}, n)
		require.Equal(t, &sequence.BatchError{N: n, Max: 1 << 20}, err)
		require.ErrorIs(t, err, stamp.ErrBatch)
		require.Equal(t, []stamp.ID{1, 2}, dst)
	}
	ids, err := g.Append(none, nil, 1<<20)
	require.NoError(t, err)
	require.Len(t, ids, 1<<20)
	require.Equal(t, stamp.ID(1<<20), ids[1<<20-1])
}

func TestSourceHasNoNextAt(t *testing.T) {
	c := newConfig(t, stamp.Options{Source: newProvider(t, store.NewMemory(), generators{"orders": {}})})
	_, err := newGenerator(t, "orders", c).NextAt(start)
	require.ErrorIs(t, err, stamp.ErrNoClock)
	require.ErrorContains(t, err, `"orders" at 2026-01-01T01:00:00Z`)
}
