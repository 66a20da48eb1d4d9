package clockchaos

import (
	"errors"
	"flag"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/servers"
)

func TestMain(m *testing.M) {
	RunChild()
	flag.Parse()
	if flag.Lookup("test.parallel").Value.String() == strconv.Itoa(runtime.GOMAXPROCS(0)) {
		_ = flag.Set("test.parallel", "4") // these tests wait most of the time
	}
	os.Exit(m.Run())
}

// patience is how long a slow machine may take for what takes a moment.
const patience = time.Minute

// The short form of make chaos, for each place of a fence's record.
func TestRun(t *testing.T) {
	t.Parallel()
	for _, kind := range servers.Names() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			seed := uint64(time.Now().UnixNano())
			t.Logf("seed %d", seed)
			r, err := Run(t.Context(), Config{
				Kind: kind, Seed: seed, Length: 2500 * time.Millisecond, IDs: 20_000, Folder: t.TempDir(), Log: t.Logf,
			})
			if errors.Is(err, servers.ErrMissing) {
				skip(t, err.Error())
			}
			require.NoError(t, err)
			t.Log(r)
			require.NoError(t, r.Err())
			require.NotEmpty(t, r.Faults)
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

func TestRunOfAnUnknownKind(t *testing.T) {
	_, err := Run(t.Context(), Config{Kind: "paper", Folder: t.TempDir()})
	require.Error(t, err)
	require.NotErrorIs(t, err, servers.ErrMissing)
}
