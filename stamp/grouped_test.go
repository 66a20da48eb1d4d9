package stamp_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/partition"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

func TestNextGroupedByDay(t *testing.T) {
	memory, manual := store.NewMemory(), clock.NewManual(start)
	provider := newProvider(t, memory, generators{"orders": daily(manual, nil), "invoices": daily(manual, nil)})
	undated := newConfig(t, stamp.Options{Source: provider, Layout: stamp.Layout{Sequence: 53}})
	dated := newConfig(t, stamp.Options{Source: provider, Layout: dayLayout, Epoch: epoch})
	for i, group := range []string{"20260101", "20260102"} {
		day := int64(20454 + i)
		for n := range stamp.ID(3) {
			v, err := stamp.NextGrouped(background, "orders", undated)
			require.NoError(t, err)
			require.Equal(t, stamp.Grouped{ID: n + 1, Group: group, Day: day}, v)
			v, err = stamp.NextGrouped(none, "invoices", dated)
			require.NoError(t, err)
			require.Equal(t, stamp.Grouped{ID: stamp.ID(i)<<47 | 2*n + 1, Group: group, Day: day}, v)
			id, err := stamp.Next("invoices", dated) // the same numbers
			require.NoError(t, err)
			require.Equal(t, v.ID+1, id)
		}
		manual.Advance(24 * time.Hour)
	}
	require.Equal(t, map[string]int64{
		"shop.orders@20260101": 10, "shop.orders@20260102": 10, "shop.invoices@20260101": 10, "shop.invoices@20260102": 10,
	}, counters(memory))
}

func TestNextGroupedInPartitions(t *testing.T) {
	memory, manual := store.NewMemory(), clock.NewManual(start)
	c := newConfig(t, stamp.Options{
		Source: newProvider(t, memory, generators{"orders": daily(manual, nil)}),
		Layout: stamp.Layout{Partition: 4, Time: 16, Sequence: 43}, Epoch: epoch, Partition: partition.FromContext,
	})
	g := newGenerator(t, "orders", c)
	in, err := g.In(9)
	require.NoError(t, err)
	ctx := partition.NewContext(background, 9)
	want := stamp.Grouped{ID: 9 << 59, Group: "20260101", Day: 20454}
	for _, call := range []func() (stamp.Grouped, error){
		func() (stamp.Grouped, error) { return stamp.NextGrouped(ctx, "orders", c) },
		func() (stamp.Grouped, error) { return stamp.NextGroupedIn(background, "orders", c, 9) },
		func() (stamp.Grouped, error) { return stamp.NextGroupedIn(none, "orders", c, 9) },
		func() (stamp.Grouped, error) { return g.NextGrouped(ctx) },
		func() (stamp.Grouped, error) { return in.NextGrouped(background) },
		func() (stamp.Grouped, error) { return in.NextGrouped(none) },
	} {
		want.ID++
		v, err := call()
		require.NoError(t, err)
		require.Equal(t, want, v)
	}
	require.Equal(t, map[string]int64{"shop.orders#9@20260101": 10}, counters(memory))
	require.ErrorIs(t, second(stamp.NextGrouped(background, "orders", c)), stamp.ErrNoPartition)
	require.ErrorIs(t, second(stamp.NextGroupedIn(background, "orders", c, 16)), stamp.ErrOutOfRange)
}

// A function's groups can come back, and go on where they were.
func TestNextGroupedByFunction(t *testing.T) {
	type key struct{}
	group := func(name string) context.Context { return context.WithValue(background, key{}, name) }
	broken := errors.New("no country")
	memory := store.NewMemory()
	c := newConfig(t, stamp.Options{Source: newProvider(t, memory, generators{"orders": {Step: 1, Group: segment.Group{
		Func: func(ctx context.Context) (string, error) {
			name, ok := ctx.Value(key{}).(string)
			if !ok {
				return "", broken
			}
			return name, nil
		},
	}}})})
	for _, want := range []stamp.Grouped{{ID: 1, Group: "a"}, {ID: 2, Group: "a"}, {ID: 1, Group: "b"}, {ID: 3, Group: "a"}} {
		v, err := stamp.NextGrouped(group(want.Group), "orders", c)
		require.NoError(t, err)
		require.Equal(t, want, v)
	}
	require.ErrorIs(t, second(stamp.NextGrouped(background, "orders", c)), broken)
	require.ErrorIs(t, second(stamp.NextGrouped(none, "orders", c)), broken)
	require.ErrorIs(t, second(stamp.NextGrouped(group("a@b"), "orders", c)), stamp.ErrGroup)
	require.Equal(t, map[string]int64{"shop.orders@a": 3, "shop.orders@b": 1}, counters(memory))
}

// A batch goes on over midnight, and over the end of segments.
func TestAppendGrouped(t *testing.T) {
	manual := clock.NewManual(epoch.Add(24*time.Hour - time.Second))
	options := daily(manual, nil)
	options.Step = 4
	counting := &counting{Memory: store.NewMemory()}
	counting.then = func(calls int) { // midnight comes while the second segment is fetched
		if calls == 2 {
			manual.Advance(time.Second)
		}
	}
	provider := newProvider(t, counting, generators{"orders": options})
	g := newGenerator(t, "orders", newConfig(t, stamp.Options{Source: provider}))
	kept := stamp.Grouped{ID: 77}
	list, err := g.AppendGrouped(background, []stamp.Grouped{kept}, 9)
	require.NoError(t, err)
	require.Equal(t, kept, list[0])
	var got []stamp.Grouped
	for i := range stamp.ID(4) {
		got = append(got, stamp.Grouped{ID: i + 1, Group: "20260101", Day: 20454})
	}
	for i := range stamp.ID(5) {
		got = append(got, stamp.Grouped{ID: i + 1, Group: "20260102", Day: 20455})
	}
	require.Equal(t, got, list[1:])

	for _, n := range []int{0, -1, 1<<20 + 1} {
		list, err := g.AppendGrouped(background, []stamp.Grouped{kept}, n)
		require.Equal(t, &sequence.BatchError{N: n, Max: 1 << 20}, err)
		require.Equal(t, []stamp.Grouped{kept}, list)
	}
	counting.err = store.ErrUnknownOutcome
	list, err = g.AppendGrouped(background, nil, 9)
	require.ErrorIs(t, err, stamp.ErrFetch)
	require.Equal(t, []stamp.Grouped{{ID: 6, Group: "20260102", Day: 20455}, {ID: 7, Group: "20260102", Day: 20455}, {ID: 8, Group: "20260102", Day: 20455}}, list)
}

// counting calls then with the number of each allocation.
type counting struct {
	*store.Memory
	calls int
	then  func(calls int)
	err   error
}

func (c *counting) Allocate(ctx context.Context, key store.Key, n int64) (int64, error) {
	if c.err != nil {
		return 0, c.err
	}
	last, err := c.Memory.Allocate(ctx, key, n)
	if err == nil {
		c.calls++
		c.then(c.calls)
	}
	return last, err
}
