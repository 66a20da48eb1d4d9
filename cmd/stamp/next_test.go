package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/bits"
	"github.com/stampid/go-stamp/clock"
	"github.com/stampid/go-stamp/cmd/internal/format"
)

func TestNextPrintsRisingIDs(t *testing.T) {
	m := newMachine(t)
	code, out, message := m.run(t, "", "next", "-n", "100000", "--prefix", "ord_")
	require.Zero(t, code)
	require.Equal(t, "stamp: node 0, the first free one; choose with --node\n", message)
	ids := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	require.Len(t, ids, 100000)
	require.True(t, slices.IsSorted(ids))
	requireUnique(t, out)
	require.Regexp(t, `^ord_[0-9A-Za-z]{11}$`, ids[0])
}

func TestNextSaysNothingWhenQuiet(t *testing.T) {
	m := newMachine(t)
	code, out, message := m.run(t, "", "next", "-q")
	require.Zero(t, code)
	require.Empty(t, message)
	require.Len(t, out, 12)
}

func TestNextJSON(t *testing.T) {
	code, out, _ := newMachine(t).run(t, "", "next", "--json", "--layout", "4/41/6/12", "--partition", "3", "--node", "5")
	require.Zero(t, code)
	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Equal(t, 3., got["partition"])
	require.Equal(t, 5., got["node"])
	require.NotContains(t, got, "age_seconds")
	at, err := time.Parse(time.RFC3339Nano, got["timestamp"].(string))
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), at, time.Minute)
}

func TestRunsAtOnceNeverRepeat(t *testing.T) {
	m := newMachine(t)
	outputs := make([]string, 6)
	var wg sync.WaitGroup
	for i := range outputs {
		wg.Go(func() {
			command := m.command("next", "-n", "10000")
			var message strings.Builder
			command.Stderr = &message
			out, err := command.Output()
			if err != nil {
				t.Errorf("%v: %s", err, &message)
			}
			outputs[i] = string(out)
		})
	}
	wg.Wait()
	require.Equal(t, 60000, requireUnique(t, outputs...))
}

// The unit is long enough for two runs to begin in the same one.
func TestRunsInTurnNeverRepeat(t *testing.T) {
	m := newMachine(t)
	var outputs []string
	for range 3 {
		code, out, message := m.run(t, "", "next", "-n", "10", "--unit", "1s", "--node", "0")
		require.Zero(t, code, message)
		outputs = append(outputs, out)
	}
	require.Equal(t, 30, requireUnique(t, outputs...))
}

// Other partitions are other ids, but one lock serves them all.
func TestPartitionsShareANode(t *testing.T) {
	m := newMachine(t)
	var outputs []string
	for p := range 4 {
		code, out, message := m.run(t, "", "next", "-n", "1000", "--layout", "2/41/7/13", "--node", "1", "--partition", strconv.Itoa(p))
		require.Zero(t, code, message)
		outputs = append(outputs, out)
	}
	require.Equal(t, 4000, requireUnique(t, outputs...))
	require.NotEmpty(t, m.bound(t, "1"))
}

// begin starts a command and reads the first id of it.
func begin(t *testing.T, c *exec.Cmd) (out *bufio.Reader, first string) {
	t.Helper()
	pipe, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	out = bufio.NewReader(pipe)
	first, err = out.ReadString('\n')
	require.NoError(t, err)
	return out, first
}

func TestKilledRunsNeverRepeat(t *testing.T) {
	m := newMachine(t)
	var all strings.Builder
	for range 3 {
		c := m.command("next", "-n", "10000000", "--unit", "1s", "--node", "0", "-q")
		out, first := begin(t, c)
		all.WriteString(first)
		for range 5000 {
			line, err := out.ReadString('\n')
			require.NoError(t, err)
			all.WriteString(line)
		}
		require.NoError(t, c.Process.Kill())
		rest, _ := io.ReadAll(out)
		whole := strings.LastIndexByte(string(rest), '\n') + 1
		if runtime.GOOS == "linux" {
			require.Len(t, rest, whole, "no half id")
		}
		all.Write(rest[:whole])
		_ = c.Wait()
	}
	require.Greater(t, requireUnique(t, all.String()), 15000)
}

func TestAHeldNode(t *testing.T) {
	m := newMachine(t)
	c := m.command("next", "-n", "100000000", "--node", "3")
	_, _ = begin(t, c)

	code, out, message := m.run(t, "", "next", "--node", "3")
	require.Equal(t, exitNode, code)
	require.Empty(t, out)
	require.Contains(t, message, "stamp: node 3 is in use by another process")
	require.Contains(t, message, strings.TrimSuffix(m.bound(t, "3"), ".bound")+".lock")

	code, _, message = m.run(t, "", "next", "--node", "4")
	require.Zero(t, code, message)
	code, _, message = m.run(t, "", "next", "--node", "3", "--preset", "snowflake")
	require.Zero(t, code, "another format doesn't block: %s", message)
}

func TestADamagedRecord(t *testing.T) {
	m := newMachine(t)
	code, _, _ := m.run(t, "", "next")
	require.Zero(t, code)
	file := m.bound(t, "0")
	require.NoError(t, os.WriteFile(file, []byte("?"), 0o600))
	code, out, message := m.run(t, "", "next")
	require.Equal(t, exitFailed, code)
	require.Empty(t, out)
	require.Contains(t, message, file)
}

func TestAClosedOutputEndsInOrder(t *testing.T) {
	m := newMachine(t)
	c := m.command("next", "-n", "1000000000", "--node", "0")
	requireReleased(t, m, requireFirstLineEnough(t, c))
}

func TestSignalsEndInOrder(t *testing.T) {
	for number, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		t.Run(number.String(), func(t *testing.T) {
			m := newMachine(t)
			c := m.command("next", "-n", "1000000000", "--node", "0")
			// Nobody reads on, so that the command hangs in a write.
			_, line := begin(t, c)
			time.Sleep(50 * time.Millisecond)
			require.NoError(t, c.Process.Signal(number))
			var exit *exec.ExitError
			require.ErrorAs(t, c.Wait(), &exit)
			require.Equal(t, code, exit.ExitCode())
			requireReleased(t, m, line)
		})
	}
}

// requireReleased fails unless node 0 can be had at once, for ids above first.
func requireReleased(t *testing.T, m machine, first string) {
	t.Helper()
	code, out, message := m.run(t, "", "next", "--node", "0")
	require.Zero(t, code)
	require.Empty(t, message, "no wait")
	require.Greater(t, out, first)
}

// A clock that is set back after the node was taken makes no id below the
// floor.
func TestTheFloorHoldsWhenTheClockIsSetBack(t *testing.T) {
	f := format.Format{Layout: bits.Default().Layout, Timescale: bits.Default().Timescale}
	now := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	floor := uint64(f.Timescale.Units(now))
	k := clock.NewManual(now)
	k.Read()
	k.Step(-time.Minute)

	c := &nextCommand{SequenceID: t.Name()}
	cfg, err := c.config(f, 0, k)
	require.NoError(t, err)
	gen, err := c.generator(cfg, f, floor)
	require.NoError(t, err)
	ids, err := gen.Append(context.Background(), nil, 10)
	require.NoError(t, err)
	for _, id := range ids {
		parts, err := cfg.Unpack(id)
		require.NoError(t, err)
		require.GreaterOrEqual(t, parts.Time, floor)
	}
}

func TestNextUsage(t *testing.T) {
	m := newMachine(t)
	for args, want := range map[string]string{
		"-n 0":                              "-n 0",
		"-n -1":                             "-1",
		"--node 128":                        "--node 128 is above the layout's largest, 127",
		"--node 0 --layout 0/41/0/22":       "no node bits",
		"--partition 0":                     "no partition bits",
		"--layout 4/41/6/12":                "no --partition",
		"--layout 4/41/6/12 --partition 16": "--partition 16 is above the layout's largest, 15",
		"--layout 4/41/6/13":                "widths add up to 64 bits",
		"--layout 4/0/0/59 --partition 1":   "time has 0 bits",
		"--preset twitter":                  "no preset \"twitter\"; there are stamp, snowflake, cosid",
		"--codec base64":                    "no codec \"base64\"",
		"--prefix ord":                      "ord",
		"--epoch yesterday":                 "yesterday",
		"--unit 25h":                        "25h",
		"--unit 0s":                         "unit is 0s",
		"--sequence-id=":                    "sequence",
		"--what":                            "--what",
	} {
		t.Run(args, func(t *testing.T) {
			code, out, message := m.run(t, "", append([]string{"next"}, strings.Fields(args)...)...)
			require.Equal(t, exitUsage, code, message)
			require.Empty(t, out)
			require.Contains(t, message, want)
		})
	}
}

func TestWithoutNodeBits(t *testing.T) {
	m := newMachine(t)
	var outputs []string
	for range 2 {
		code, out, message := m.run(t, "", "next", "-n", "100", "--layout", "0/41/0/22")
		require.Zero(t, code, message)
		outputs = append(outputs, out)
	}
	require.Equal(t, 200, requireUnique(t, outputs...))
}

// Two ids a millisecond are all there is room for.
func TestASmallSequence(t *testing.T) {
	code, out, message := newMachine(t).run(t, "", "next", "-n", "50", "--layout", "0/61/1/1", "-q")
	require.Zero(t, code, message)
	require.Equal(t, 50, requireUnique(t, out))
}

func TestBeforeTheEpoch(t *testing.T) {
	code, out, message := newMachine(t).run(t, "", "next", "--epoch", "2100-01-01T00:00:00Z")
	require.Equal(t, exitFailed, code)
	require.Empty(t, out)
	require.Contains(t, message, "before its epoch 2100-01-01T00:00:00Z")
}
