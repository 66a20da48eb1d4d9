package partition_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/partition"
)

func TestContext(t *testing.T) {
	ctx := t.Context()
	_, err := partition.FromContext(ctx)
	require.ErrorIs(t, err, partition.ErrNoPartition)

	for _, want := range []uint64{0, 1, 15, math.MaxUint64} {
		p, err := partition.FromContext(partition.NewContext(ctx, want))
		require.NoError(t, err)
		require.Equal(t, want, p)
	}
}

func TestContext_theInnermostCounts(t *testing.T) {
	outer := partition.NewContext(t.Context(), 1)
	inner, cancel := context.WithCancel(partition.NewContext(outer, 2))
	defer cancel()

	p, err := partition.FromContext(inner)
	require.NoError(t, err)
	require.Equal(t, uint64(2), p)

	p, err = partition.FromContext(outer)
	require.NoError(t, err)
	require.Equal(t, uint64(1), p)
}

func TestFromContext_doesNotAllocate(t *testing.T) {
	ctx := partition.NewContext(t.Context(), 1<<40)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		_, _ = partition.FromContext(ctx)
		_, _ = partition.FromContext(context.Background())
	}))
}
