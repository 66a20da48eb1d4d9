package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/watching"
)

// watched is a row of stampd watch --json.
type watched struct {
	Source, Counter, Level, State, Error string
	Stands                               string   `json:"stands_at"`
	Remaining                            string   `json:"remaining"`
	Rate                                 *float64 `json:"rate"`
}

func readWatched(t *testing.T, out string) (rows []watched) {
	t.Helper()
	for line := range strings.Lines(out) {
		var row watched
		require.NoError(t, json.Unmarshal([]byte(line), &row), line)
		rows = append(rows, row)
	}
	return rows
}

// Counters of stores of all kinds, and a server with what was reserved through it.
func TestWatchOnce(t *testing.T) {
	everywhere(t, func(t *testing.T, m machine, address string) {
		m.done(t, "next", "--store", address, "--create", "-n", "500", "watched")
		rows := readWatched(t, m.done(t, "watch", "--once", "--json", "--interval", "100ms", "--bits", "20",
			"--store", address, "watched", "never"))
		require.Len(t, rows, 2)
		require.Equal(t, "default.never", rows[0].Counter, "a warning, and both last for ever")
		require.Equal(t, "not there", rows[0].State)
		require.Equal(t, "default.watched", rows[1].Counter)
		require.Equal(t, "500", rows[1].Stands)
		require.Equal(t, "1048075", rows[1].Remaining)
		require.Zero(t, *rows[1].Rate)
	})
}

func TestWatchAServer(t *testing.T) {
	m := newMachine(t)
	s := m.serve(t, "--store", "memory:")
	m.done(t, "next", "--store", "http://"+s.address, "-n", "300", "order")
	code, out, message := m.run(t, "watch", "--once", "--json", "http://127.0.0.1:1", "http://"+s.address)
	require.Equal(t, exitFailed, code, "one of them can't be asked")
	require.Contains(t, message, "127.0.0.1:1: ")
	rows := readWatched(t, out)
	require.Len(t, rows, 2, "the other one is shown")
	require.Equal(t, "127.0.0.1:1", rows[0].Source)
	require.Equal(t, "critical", rows[0].Level)
	require.NotEmpty(t, rows[0].Error)
	require.Equal(t, s.address, rows[1].Source)
	require.Equal(t, "default.order", rows[1].Counter)
	require.Equal(t, "300", rows[1].Stands)
}

// A counter that goes back while it is watched is found.
func TestWatchSeesALoss(t *testing.T) {
	m := newMachine(t)
	m.done(t, "next", "--store", "file:ids", "--create", "-n", "10", "order")
	file := filepath.Join(m.folder, "ids", "counters.txt")
	old, err := os.ReadFile(file)
	require.NoError(t, err)
	m.done(t, "next", "--store", "file:ids", "-n", "10", "order")
	out, first := begin(t, m.command("watch", "--json", "--interval", "100ms", "--store", "file:ids", "order"))
	require.Equal(t, "20", readWatched(t, first)[0].Stands)
	require.NoError(t, os.WriteFile(file+".old", old, 0o600))
	require.NoError(t, os.Rename(file+".old", file))
	for {
		line, err := out.ReadString('\n')
		require.NoError(t, err)
		if row := readWatched(t, line)[0]; row.Level == "critical" {
			require.Equal(t, "WENT BACK by 10", row.State)
			return
		}
	}
}

// Without a terminal there are lines, until a signal.
func TestWatchLines(t *testing.T) {
	m := newMachine(t)
	m.done(t, "next", "order")
	c := m.command("watch", "--interval", "100ms", "order")
	out, first := begin(t, c)
	require.Contains(t, first, "counter=default.order remaining=9223372036854775806 rate=0.0")
	_, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, "it goes on")
	require.NoError(t, c.Process.Signal(syscall.SIGINT))
	_ = c.Wait() // the code says it
	require.Equal(t, 130, c.ProcessState.ExitCode())
}

// An address may be redirected to a login page or be another server.
func TestWatchOfSomethingElse(t *testing.T) {
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	code, out, _ := newMachine(t).run(t, "watch", "--once", other.URL)
	require.Equal(t, exitFailed, code)
	require.Contains(t, out, `state="it answers 404 Not Found"`)
}

func TestWatchUsage(t *testing.T) {
	requireUsage(t, "watch", map[string]string{
		"":                         "<target>",
		"order --interval=1ms":     "--interval 1ms is below 100ms",
		"order --bits=64":          "--bits 64, want 1 to 63",
		"ftp://h":                  "is not an address",
		"order --timeout=0s":       "--timeout 0s isn't above 0",
		"order --store oracle://h": "unknown kind",
		"order --namespace=":       "namespace",
	})
}

// What is worst makes the exit code of a single look.
func TestVerdictOfOneLook(t *testing.T) {
	refused := watching.Row{Source: "10.0.0.7", Err: errors.New("refused")}
	back := watching.Row{Source: "ids.db", Counter: "default.order", WentBack: true}
	for code, rows := range map[int][]watching.Row{
		exitDone:   {{Source: "ids.db", Counter: "default.order", Level: watching.Critical}},
		exitFailed: {refused, refused},
		exitLost:   {refused, back},
	} {
		require.Equal(t, code, exitCode(verdict(rows)))
	}
	require.EqualError(t, verdict([]watching.Row{refused, refused}), "10.0.0.7: refused", "once for all of its rows")
}
