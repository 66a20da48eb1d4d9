package chaos

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
)

// The short form of make chaos.
func TestRun(t *testing.T) {
	const length, numbers = 5 * time.Second, 50_000
	eachKind(t, func(t *testing.T, kind servers.Kind) {
		seed := uint64(time.Now().UnixNano())
		t.Logf("seed %d", seed)
		r, err := Run(t.Context(), Config{
			Kind: kind.Name, Seed: seed, Length: length, Numbers: numbers, Folder: t.TempDir(), Log: t.Logf,
		})
		require.NoError(t, err)
		t.Log(r)
		require.NoError(t, r.Err())
		require.Positive(t, r.Tally.Kills)
	})
}

func TestRunOfAnUnknownKind(t *testing.T) {
	_, err := Run(t.Context(), Config{Kind: "paper", Folder: t.TempDir()})
	require.Error(t, err)
	require.False(t, errors.Is(err, servers.ErrMissing))
}
