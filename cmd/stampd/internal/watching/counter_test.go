package watching

import (
	"context"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
)

var order = store.Key{Namespace: "shop", Name: "order"}

func ask(t *testing.T, c *Counter) Row {
	t.Helper()
	rows, err := c.Ask(t.Context())
	require.NoError(t, err)
	require.Len(t, rows, 1)
	return rows[0]
}

func TestCounterOfAStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := store.NewMemory()
		c := NewCounter("memory", order, 1_000_000_000, m.Peek)
		row := ask(t, c)
		require.True(t, row.Missing)
		require.Equal(t, Warning, row.Level)

		_, err := m.Create(t.Context(), order, 0)
		require.NoError(t, err)
		row = ask(t, c)
		require.False(t, row.Missing)
		require.Equal(t, Forever, row.Left)
		for range 120 {
			time.Sleep(time.Second)
			_, err = m.Allocate(t.Context(), order, 1000)
			require.NoError(t, err)
			row = ask(t, c)
		}
		require.InDelta(t, 1000, row.Rate, 1)
		require.InDelta(t, 1000, row.Peak, 1)
		require.EqualValues(t, 120_000, row.At)
		require.EqualValues(t, 1_000_000_000-120_000, row.Remaining)
		require.InDelta(t, 999_880*time.Second, row.Left, float64(time.Minute))
		require.Equal(t, Critical, row.Level, "it ends in twelve days")

		time.Sleep(10 * time.Minute)
		row = ask(t, c)
		require.Contains(t, row.State, "unused for 10m00s")
		require.Less(t, row.Rate, 1.0)
	})
}

func TestCounterThatGoesBack(t *testing.T) {
	m := store.NewMemory()
	_, err := m.Create(t.Context(), order, 500)
	require.NoError(t, err)
	old := m.Contents()
	_, err = m.Allocate(t.Context(), order, 100)
	require.NoError(t, err)
	c := NewCounter("memory", order, math.MaxInt64, m.Peek)
	require.False(t, ask(t, c).WentBack)
	m.Restore(old)
	for range 2 { // it isn't forgotten
		row := ask(t, c)
		require.True(t, row.WentBack)
		require.Equal(t, Critical, row.Level)
		require.Equal(t, "WENT BACK by 100", row.State)
		require.Zero(t, row.Rate)
	}
	m.Restore(store.NewMemory().Contents())
	row := ask(t, c)
	require.True(t, row.WentBack)
	require.Equal(t, "LOST, stood at 600", row.State)
}

func TestCounterNearItsEnd(t *testing.T) {
	const day = 24 * 3600
	for _, tt := range []struct {
		at    int64
		rate  float64
		level Level
		left  time.Duration
	}{
		{100, 0, Critical, 0},
		{101, 5, Critical, 0},
		{0, 0, Fine, Forever},
		{0, 100.0 / (29 * day), Critical, 29 * day * time.Second},
		{0, 100.0 / (31 * day), Warning, 31 * day * time.Second},
		{0, 100.0 / (366 * day), Fine, 366 * day * time.Second},
	} {
		row := counterRow("store", "shop.order", tt.at, 100, tt.rate, tt.rate)
		require.Equal(t, tt.level, row.Level, "%+v", tt)
		require.InDelta(t, float64(tt.left), float64(row.Left), float64(time.Second), "%+v", tt)
	}
}

func TestCounterThatCantBeAsked(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(context.DeadlineExceeded)
	c := NewCounter("memory", order, 1, func(ctx context.Context, _ store.Key) (int64, error) { return 0, ctx.Err() })
	_, err := c.Ask(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded, "the cause")
}
