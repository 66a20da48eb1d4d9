package stamp_test

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/stamp"
)

// seedVariable sets the seed of the random tests, to run one again.
const seedVariable = "STAMP_TEST_SEED"

var (
	epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	start = epoch.Add(time.Hour)
)

func newRandom(t *testing.T) *rand.Rand {
	t.Helper()
	seed := rand.Uint64()
	if text := os.Getenv(seedVariable); text != "" {
		var err error
		seed, err = strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
	}
	t.Logf("to repeat: %s=%d", seedVariable, seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// isolated returns options without node bits, with a registry of their own and
// a manual clock that stands at start.
func isolated() (stamp.Options, *clock.Manual) {
	c := clock.NewManual(start)
	return stamp.Options{
		Layout:   stamp.Layout{Time: 51, Sequence: 12},
		Epoch:    epoch,
		Clock:    c,
		Registry: sequence.NewRegistry(),
	}, c
}

// partitioned is isolated with 8 partitions.
func partitioned() (stamp.Options, *clock.Manual) {
	o, c := isolated()
	o.Layout = stamp.Layout{Partition: 3, Time: 48, Sequence: 12}
	return o, c
}

func newConfig(t *testing.T, o stamp.Options) *stamp.Config {
	t.Helper()
	c, err := stamp.NewConfig(o)
	require.NoError(t, err)
	return c
}

func newGenerator(t *testing.T, id string, c *stamp.Config) *stamp.Generator {
	t.Helper()
	g, err := stamp.NewGenerator(id, c)
	require.NoError(t, err)
	return g
}

func next(t *testing.T, id string, c *stamp.Config) stamp.ID {
	t.Helper()
	n, err := stamp.Next(id, c)
	require.NoError(t, err)
	return n
}

func unpack(t *testing.T, c *stamp.Config, id stamp.ID) stamp.Parts {
	t.Helper()
	parts, err := c.Unpack(id)
	require.NoError(t, err)
	return parts
}

func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
