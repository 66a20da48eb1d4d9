package stamp_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/telemetry"
)

// The tests named TestF… are about faults of the design that this library
// began with; each shows that ours doesn't have it.

// Overflow at the last time runs into the partition bits, or past 2^63.
func TestF1_OverflowAtTheLastTime(t *testing.T) {
	o, clock := isolated()
	o.Layout = stamp.Layout{Partition: 30, Time: 20, Node: 9, Sequence: 4}
	o.Node = node.Static(511)
	c := newConfig(t, o)
	clock.Set(c.End().Add(-time.Millisecond))
	for _, p := range []uint64{0, 1<<30 - 1} {
		g, err := newGeneratorIn(t, c, p)
		require.NoError(t, err)
		ids, err := g.Append(context.Background(), nil, 20)
		require.ErrorIs(t, err, stamp.ErrTimeExhausted)
		require.Len(t, ids, 16)
		all, err := c.PartitionRange(p)
		require.NoError(t, err)
		require.EqualValues(t, all.Last, ids[15])
		for range 100 {
			_, err = g.Next()
			require.ErrorIs(t, err, stamp.ErrTimeExhausted)
		}
		clock.Advance(time.Hour)
		_, err = g.NextAt(start)
		require.ErrorIs(t, err, stamp.ErrTimeExhausted)
		_, err = stamp.NextIn("another", c, p)
		require.ErrorIs(t, err, stamp.ErrTimeExhausted)
		clock.Set(c.End().Add(-time.Millisecond))
		c.Registry().Drop("another")
	}
}

func newGeneratorIn(t *testing.T, c *stamp.Config, p uint64) (*stamp.Generator, error) {
	t.Helper()
	return newGenerator(t, "orders", c).In(p)
}

// Nothing bounds how far time is driven ahead.
func TestF2_AheadIsBoundedByPolicy(t *testing.T) {
	o, clock := isolated()
	o.Layout = stamp.Layout{Time: 60, Sequence: 3}
	o.MaxAhead, o.AheadPolicy = 2*time.Millisecond, stamp.Fail
	c := newConfig(t, o)
	for range 24 {
		next(t, "orders", c)
	}
	_, err := stamp.Next("orders", c)
	require.ErrorIs(t, err, stamp.ErrAhead)
	clock.Advance(time.Millisecond)
	next(t, "orders", c)
}

// A passed time far ahead poisons the sequence; back-dating silently doesn't.
func TestF3_PassedTimeFarAheadIsRefused(t *testing.T) {
	o, _ := isolated()
	c := newConfig(t, o)
	g := newGenerator(t, "orders", c)
	_, err := g.NextAt(start.AddDate(10, 0, 0))
	require.ErrorIs(t, err, stamp.ErrAhead)
	id, err := g.Next()
	require.NoError(t, err)
	at, err := c.Time(id)
	require.NoError(t, err)
	require.Equal(t, start, at)
}

func TestF3_ComposeIsThePureWayToBackDate(t *testing.T) {
	o, _ := isolated()
	c := newConfig(t, o)
	old, err := c.Compose(stamp.Parts{Time: 5, Sequence: 9})
	require.NoError(t, err)
	at, err := c.Time(old)
	require.NoError(t, err)
	require.Equal(t, epoch.Add(5*time.Millisecond), at)
	require.Zero(t, c.Registry().Len(), "no sequence was touched")

	_, err = c.Compose(stamp.Parts{})
	require.ErrorIs(t, err, stamp.ErrOutOfRange, "0 is no id")
	_, err = c.Compose(stamp.Parts{Partition: 1, Time: 1 << 51, Node: 2, Sequence: 4096})
	for _, text := range []string{"partition 1 ", "time 2251799813685248", "node 2", "sequence 4096", "4095"} {
		require.ErrorContains(t, err, text)
	}
}

// The same sequence id with two layouts or epochs shares one word.
func TestF4_SecondLayoutForASequenceIDIsRefused(t *testing.T) {
	o, clock := isolated()
	next(t, "orders", newConfig(t, o))
	for name, change := range map[string]func(*stamp.Options){
		"0/51/0/12 and 0/50/0/13":                       func(o *stamp.Options) { o.Layout = stamp.Layout{Time: 50, Sequence: 13} },
		"2026-01-01T00:00:00Z and 2025-01-01T00:00:00Z": func(o *stamp.Options) { o.Epoch = epoch.AddDate(-1, 0, 0) },
		"unit 1ms and 1s":                               func(o *stamp.Options) { o.Unit = time.Second },
		"MaxAhead 0s and 1m0s":                          func(o *stamp.Options) { o.MaxAhead = time.Minute },
		"policy advance and fail":                       func(o *stamp.Options) { o.AheadPolicy = stamp.Fail },
	} {
		other := o
		change(&other)
		c := newConfig(t, other) // configuration is pure; use is refused
		_, err := stamp.Next("orders", c)
		require.ErrorIs(t, err, stamp.ErrConflict, name)
		require.ErrorContains(t, err, name)
		_, err = stamp.NewGenerator("orders", c)
		require.ErrorIs(t, err, stamp.ErrConflict, name)
		var conflict *sequence.ConflictError
		require.ErrorAs(t, err, &conflict)
		require.Equal(t, "orders", conflict.SequenceID)
	}
	clock.Advance(time.Second)
	next(t, "orders", newConfig(t, o))
}

// Two configurations for the same ids must share one sequence.
func TestF5_EqualConfigurationsShareASequence(t *testing.T) {
	o, _ := isolated()
	o.Unit = time.Millisecond
	explicit := newConfig(t, o)
	o.Unit, o.Epoch = 0, epoch.In(time.FixedZone("", 7200))
	o.Timeout, o.Codec = time.Hour, nil // not part of what ids are
	byDefault := newConfig(t, o)
	g := newGenerator(t, "orders", byDefault)
	last := stamp.ID(0)
	for range 100 {
		a := next(t, "orders", explicit)
		b, err := g.Next()
		require.NoError(t, err)
		require.True(t, last < a && a < b, "%d %d %d", last, a, b)
		last = b
	}
	require.Equal(t, 1, explicit.Registry().Len())
}

// The overflow event fires before the swap, for losers too.
func TestF12_OneEventPerOverflow(t *testing.T) {
	const goroutines, calls = 8, 2000
	o, _ := isolated()
	o.Layout = stamp.Layout{Time: 60, Sequence: 3}
	var mu sync.Mutex
	count := 0
	o.Listener = &telemetry.Listener{OnOverflow: func(e telemetry.Overflow) {
		mu.Lock()
		defer mu.Unlock()
		count += e.Count
	}}
	c := newConfig(t, o)
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for range calls {
				if _, err := stamp.Next("orders", c); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	require.Equal(t, goroutines*calls/8-1, count)
}

// Sequences are never dropped: dynamic ids leak.
func TestF16_DroppedSequencesRepeatNothing(t *testing.T) {
	o, _ := isolated()
	o.Layout = stamp.Layout{Time: 60, Sequence: 3}
	c := newConfig(t, o)
	g := newGenerator(t, "orders", c)
	before, err := g.Append(context.Background(), nil, 1000)
	require.NoError(t, err)
	require.Equal(t, 1, c.Registry().Len())
	require.Equal(t, 1, c.Registry().Drop("orders"))
	require.Zero(t, c.Registry().Len())

	require.Equal(t, before[999]+1, next(t, "orders", c))
	id, err := g.Next() // the handle found the new sequence
	require.NoError(t, err)
	require.Equal(t, before[999]+2, id)
	require.Equal(t, 1, c.Registry().Len())
}

// A clock before the epoch fails on each call, unexplained.
func TestF18_ClockBeforeTheEpoch(t *testing.T) {
	o, clock := isolated()
	o.Epoch = start.Add(time.Minute)
	c := newConfig(t, o) // pure: reads no clock
	g := newGenerator(t, "orders", c)
	for range 2 {
		_, err := g.Next()
		require.ErrorIs(t, err, stamp.ErrBeforeEpoch)
		var before *sequence.BeforeEpochError
		require.ErrorAs(t, err, &before)
		require.Equal(t, start, before.Time.UTC())
		require.Equal(t, o.Epoch, before.Epoch)
	}
	clock.Advance(time.Minute)
	_, err := g.Next()
	require.NoError(t, err)
}
