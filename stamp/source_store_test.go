package stamp_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

// A restored backup stops the sequence, and the caller can tell.
func TestRollbackReachesTheCaller(t *testing.T) {
	memory := store.NewMemory()
	backup := memory.Contents()
	manual := clock.NewManual(start)
	provider := newProvider(t, memory, generators{"orders": {Step: 2}, "days": func() segment.Options { o := daily(manual, nil); o.Step = 2; return o }()})
	plain := newConfig(t, stamp.Options{Source: provider})
	dated := newConfig(t, stamp.Options{Source: provider, Layout: stamp.Layout{Time: 16, Sequence: 47}, Epoch: epoch})
	orders, days := newGenerator(t, "orders", plain), newGenerator(t, "days", dated)
	for _, g := range []*stamp.Generator{orders, days} {
		_, err := g.Append(background, nil, 4)
		require.NoError(t, err)
	}
	memory.Restore(backup)
	var rolledBack *segment.RolledBackError
	for range 2 { // it stays stopped
		for name, call := range map[string]func() error{
			"Next":          func() error { _, err := stamp.Next("orders", plain); return err },
			"g.Next":        func() error { _, err := orders.Next(); return err },
			"NextContext":   func() error { _, err := orders.NextContext(background); return err },
			"Append":        func() error { ids, err := orders.Append(background, nil, 3); require.Empty(t, ids); return err },
			"by day":        func() error { _, err := days.Next(); return err },
			"NextGrouped":   func() error { _, err := days.NextGrouped(background); return err },
			"AppendGrouped": func() error { _, err := days.AppendGrouped(background, nil, 3); return err },
		} {
			err := call()
			require.ErrorIs(t, err, stamp.ErrRolledBack, name)
			require.ErrorAs(t, err, &rolledBack, name)
			require.EqualValues(t, 4, rolledBack.Mark, name)
		}
	}
}

// What the store says, and what was claimed before it said so, both reach the
// caller.
func TestSourceStoreFails(t *testing.T) {
	broken := errors.New("disk on fire")
	failing := &failing{Memory: store.NewMemory()}
	c := newConfig(t, stamp.Options{Source: newProvider(t, failing, generators{"orders": {Step: 4}})})
	g := newGenerator(t, "orders", c)
	ids, err := g.Append(background, nil, 2)
	require.NoError(t, err)
	failing.err = broken
	ids, err = g.Append(background, ids, 5)
	require.ErrorIs(t, err, stamp.ErrFetch)
	require.ErrorIs(t, err, broken)
	require.Equal(t, []stamp.ID{1, 2, 3, 4}, ids)
	_, err = g.Next()
	require.ErrorIs(t, err, stamp.ErrBackoff)
	require.ErrorIs(t, err, broken)
}

type failing struct {
	*store.Memory
	err error
}

func (f *failing) Allocate(ctx context.Context, key store.Key, n int64) (int64, error) {
	if f.err != nil {
		return 0, f.err
	}
	return f.Memory.Allocate(ctx, key, n)
}

// A handle and look-ups after a drop have two generators of one counter: the
// ids differ, and the handle goes on after Close as well.
func TestSourcePartitionIsDropped(t *testing.T) {
	provider := newProvider(t, store.NewMemory(), generators{"orders": {Mode: segment.Chain, Step: 3}})
	c := newConfig(t, stamp.Options{Source: provider, Layout: stamp.Layout{Partition: 2, Sequence: 61}})
	in, err := newGenerator(t, "orders", c).In(1)
	require.NoError(t, err)
	seen := map[stamp.ID]bool{}
	for i := range 100 {
		for _, call := range []func() (stamp.ID, error){in.Next, func() (stamp.ID, error) { return stamp.NextIn("orders", c, 1) }} {
			id, err := call()
			require.NoError(t, err)
			require.False(t, seen[id])
			seen[id] = true
		}
		if i%7 == 0 {
			provider.Drop("orders", 1)
		}
		if i == 60 {
			require.NoError(t, provider.Close())
		}
	}
}
