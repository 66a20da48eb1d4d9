package chaos

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
)

// The short form of make chaos.
func testRun(t *testing.T, s *scene) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r, err := runOn(t.Context(), Config{
		Kind: s.server.Name, Seed: seed, Length: 4 * time.Second, Numbers: 20_000,
		Workers: 4, Goroutines: 2, Folder: t.TempDir(), Log: t.Logf,
	}, s.server)
	require.NoError(t, err)
	t.Log(r)
	require.NoError(t, r.Err())
	require.GreaterOrEqual(t, r.Tally.Kills, 4, "all workers were killed at once")
}

func TestRunOfAnUnknownKind(t *testing.T) {
	_, err := Run(t.Context(), Config{Kind: "paper", Folder: t.TempDir()})
	require.Error(t, err)
	require.NotErrorIs(t, err, servers.ErrMissing)
}
