package chaos_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/chaos"
	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
)

func TestMain(m *testing.M) {
	chaos.RunChild()
	os.Exit(m.Run())
}

// eachKind runs a test for each kind of store.
func eachKind(t *testing.T, test func(t *testing.T, kind servers.Kind)) {
	for _, kind := range servers.Kinds() {
		t.Run(kind.Name, func(t *testing.T) {
			if missing := kind.Missing(); len(missing) > 0 {
				skip(t, kind.Name+" isn't installed: "+strings.Join(missing, ", "))
			}
			test(t, kind)
		})
	}
}

// skip skips a test, except where all that tests need has been installed.
func skip(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		require.FailNow(t, what)
	}
	t.Skip(what)
}

// The short form of make chaos.
func TestRun(t *testing.T) {
	const length, numbers = 5 * time.Second, 50_000
	eachKind(t, func(t *testing.T, kind servers.Kind) {
		t.Parallel()
		seed := uint64(time.Now().UnixNano())
		t.Logf("seed %d", seed)
		r, err := chaos.Run(t.Context(), chaos.Config{
			Kind: kind.Name, Seed: seed, Length: length, Numbers: numbers, Folder: t.TempDir(), Log: t.Logf,
		})
		require.NoError(t, err)
		t.Log(r)
		require.NoError(t, r.Err())
		require.Positive(t, r.Tally.Kills)
	})
}

func TestRunOfAnUnknownKind(t *testing.T) {
	_, err := chaos.Run(t.Context(), chaos.Config{Kind: "paper", Folder: t.TempDir()})
	require.Error(t, err)
	require.False(t, errors.Is(err, servers.ErrMissing))
}
