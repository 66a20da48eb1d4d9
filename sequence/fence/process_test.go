package fence_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
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
			Space: "orders", Window: 2 * time.Second, Cap: time.Hour, Start: fence.BeginAtBound,
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
		s, err := space.Sequence(name, nodeNumber, uint64(round%2))
		if err != nil {
			return err
		}
		// 2000 ids are half a unit: generation drives time.
		ids, err := sequence.Append[int64](context.Background(), s, nil, 2000, &caller)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, name, ids[0], ids[len(ids)-1]); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
}

// batch is what a child says of ids that it made.
type batch struct {
	name        string
	first, last int64
}

// kill starts the child, lets it make n batches, kills it, and returns what it
// said until then.
func (c child) kill(t *testing.T, n int) (said []batch) {
	t.Helper()
	text, err := json.Marshal(c)
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+string(text))
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	for reader := bufio.NewReader(out); ; {
		line, err := reader.ReadString('\n')
		if err != nil { // what it had written when it was killed counts too
			require.ErrorIs(t, err, io.EOF)
			break
		}
		var b batch
		_, err = fmt.Sscan(line, &b.name, &b.first, &b.last)
		require.NoError(t, err, line)
		said = append(said, b)
		if len(said) == n {
			require.NoError(t, cmd.Process.Kill())
		}
	}
	_ = cmd.Wait()
	require.GreaterOrEqual(t, len(said), n)
	return said
}

// repeated counts the batches that share an id with another one.
func repeated(all []batch) (n int) {
	slices.SortFunc(all, func(a, b batch) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.first, b.first))
	})
	for i := 1; i < len(all); i++ {
		if all[i].name == all[i-1].name && all[i].first <= all[i-1].last {
			n++
		}
	}
	return n
}

// Processes that are killed, and started again at once with a clock that was
// set back to where it had been, repeat nothing. Without a fence they do.
func TestKilledProcesses(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 10
	}
	random := rand.New(rand.NewPCG(seed(t), 0))
	run := func(folder string) (all []batch) {
		origin := time.Now()
		for round := range rounds {
			c := child{
				Folder: folder, Late: "late" + strconv.Itoa(round%3),
				Offset: time.Duration(random.Int64N(int64(100*time.Millisecond))) - time.Since(origin),
			}
			all = append(all, c.kill(t, 20+random.IntN(200))...)
		}
		return all
	}
	require.Zero(t, repeated(run(t.TempDir())))
	require.Positive(t, repeated(run("")), "the test would see it")
}
