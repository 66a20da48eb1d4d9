package fence_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
)

// child is what a killed process is told. Without a Folder it has no fence.
type child struct {
	Folder string
	Offset time.Duration // of its clock
	Late   string        // a sequence that it uses only after a while
}

const childVariable = "FENCE_TEST_CHILD"

func TestMain(m *testing.M) {
	if text := os.Getenv(childVariable); text != "" {
		if err := makeIDs(text); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// makeIDs writes ids, each a line with its sequence, until it is killed.
func makeIDs(text string) error {
	var c child
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return err
	}
	settings := sequence.Settings{Layout: layout, Timescale: scale, Clock: clock.NewSystem(clock.Options{
		Wall: func() time.Time { return time.Now().Add(c.Offset) },
	})}
	if c.Folder != "" {
		f, err := fence.File(c.Folder, fence.Options{
			Space: "orders", Window: 2 * time.Second, Cap: time.Minute, Start: fence.BeginAtBound,
		})
		if err != nil {
			return err
		}
		settings.Fence = f
	}
	space, err := sequence.NewRegistry().Space(settings)
	if err != nil {
		return err
	}
	caller := sequence.Caller{Timeout: 20 * time.Second}
	out := bufio.NewWriter(os.Stdout)
	for round := 0; ; round++ {
		name := "orders"
		if round > 20 && round%2 == 0 {
			name = c.Late
		}
		s, err := space.Sequence(name, node, uint64(round%2))
		if err != nil {
			return err
		}
		// 2000 ids are half a unit: generation drives time.
		ids, err := sequence.Append[int64](context.Background(), s, nil, 2000, &caller)
		if err != nil {
			return err
		}
		for _, id := range []int64{ids[0], ids[len(ids)-1]} {
			if _, err := fmt.Fprintln(out, name, id); err != nil {
				return err
			}
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
}

// start starts a child, lets it make n ids, kills it, and returns what it said.
func (c child) kill(t *testing.T, lines int) map[string]int {
	t.Helper()
	text, err := json.Marshal(c)
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+string(text))
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	said := map[string]int{}
	reader := bufio.NewReader(out)
	for n := 0; ; n++ {
		if n == lines {
			require.NoError(t, cmd.Process.Kill())
		}
		line, err := reader.ReadString('\n')
		if err != nil { // what it had written when it was killed counts too
			require.ErrorIs(t, err, io.EOF)
			require.GreaterOrEqual(t, n, lines, "it ended by itself: %s", line)
			break
		}
		require.NotContains(t, line, "error")
		said[line]++
	}
	_ = cmd.Wait()
	return said
}

// Processes that are killed, and restarted at once with clocks that are off by
// up to some seconds either way, repeat nothing; without a fence they do.
func TestKilledProcesses(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 10
	}
	random := rand.New(rand.NewPCG(seed(t), 0))
	run := func(folder string) (ids, repeated int) {
		all := map[string]bool{}
		for round := range rounds {
			c := child{
				Folder: folder, Late: "late" + strconv.Itoa(round%3),
				// The wall clock of the test goes on less than the bound does, so
				// restarts begin at the bound, until the cap is near.
				Offset: time.Duration(random.Int64N(int64(10*time.Second))) + time.Duration(round)*2*time.Second,
			}
			for line := range c.kill(t, 20+random.IntN(200)) {
				if all[line] {
					repeated++
				}
				all[line] = true
			}
		}
		return len(all), repeated
	}
	ids, repeated := run(t.TempDir())
	require.Zero(t, repeated)
	require.Greater(t, ids, 20*rounds)
}
