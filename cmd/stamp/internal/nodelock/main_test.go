package nodelock_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/cmd/internal/format"
	"github.com/stampid/go-stamp/cmd/stamp/internal/nodelock"
)

// holdVariable makes the test binary hold node 0 in the folder that it names.
const holdVariable = "NODELOCK_TEST_HOLD"

func TestMain(m *testing.M) {
	if path := os.Getenv(holdVariable); path != "" {
		hold(path)
	}
	os.Exit(m.Run())
}

// hold covers the present, says which time that is, and stays.
func hold(path string) {
	folder := nodelock.Folder{Path: path, Format: testFormat(), Clock: clock.Default(), Report: func(string) {}}
	lock, err := folder.Take(context.Background(), 0)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	now := uint64(folder.Format.Timescale.Units(time.Now()))
	if err := lock.Cover(now); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(now)
	select {}
}

func TestAProcessHoldsItsNodeUntilItIsKilled(t *testing.T) {
	path := t.TempDir()
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), holdVariable+"="+path)
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	defer func() { _ = child.Process.Kill() }()
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	covered, err := strconv.ParseUint(line[:len(line)-1], 10, 64)
	require.NoError(t, err, line)

	waits := 0
	folder := nodelock.Folder{Path: path, Format: testFormat(), Clock: clock.Default(), Report: func(string) { waits++ }}
	_, err = folder.Take(t.Context(), 0)
	var held *nodelock.HeldError
	require.ErrorAs(t, err, &held)
	require.EqualValues(t, 0, held.Node)
	require.FileExists(t, held.File)

	other, err := folder.TakeFree(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1, other.Node())
	require.NoError(t, other.Close(t.Context()))

	require.NoError(t, child.Process.Kill())
	_ = child.Wait()
	lock, err := folder.Take(t.Context(), 0)
	require.NoError(t, err)
	require.Greater(t, lock.Floor(), covered)
	require.GreaterOrEqual(t, folder.Format.Timescale.Units(time.Now()), int64(lock.Floor()), "Take waits for the floor")
	require.NoError(t, lock.Close(t.Context()))
}

func testFormat() format.Format {
	preset := bits.Default()
	return format.Format{Layout: bits.Layout{Time: 41, Node: 2, Sequence: 20}, Timescale: preset.Timescale}
}
