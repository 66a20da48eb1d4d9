package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/sequence/fence"
	"github.com/stampid/go-stamp/stamp"
)

// A fence in a folder is shown and reset, and goes on from the new bound.
func TestFenceInAFolder(t *testing.T) {
	folder := t.TempDir()
	fenced := func() stamp.ID {
		f, err := fence.File(folder, fence.Options{Space: "orders", Start: fence.BeginAtBound})
		require.NoError(t, err)
		cfg, err := stamp.NewConfig(stamp.Options{Node: node.Static(3), Fence: f, Registry: sequence.NewRegistry()})
		require.NoError(t, err)
		id, err := stamp.Next("orders", cfg)
		require.NoError(t, err)
		require.NoError(t, f.Close(t.Context()))
		return id
	}
	first := fenced()
	fenceCommand := func(input string, args ...string) (code int, out, message string) {
		var stdout, stderr bytes.Buffer
		s := &streams{in: strings.NewReader(input), out: &stdout, err: &stderr, inIsTerminal: input != "", now: time.Now}
		code = run(append([]string{"fence"}, args...), s)
		return code, stdout.String(), stderr.String()
	}
	code, out, message := fenceCommand("", "show", "orders", "--folder", folder)
	require.Equal(t, exitDone, code, message)
	require.Regexp(t, `(?m)^3 +free `, out)

	to := time.Now().Add(20 * time.Second).UTC().Truncate(time.Second)
	reset := []string{"reset", "orders", "--folder", folder, "--node", "3", "--all-stopped", "--to", to.Format(time.RFC3339)}
	code, _, message = fenceCommand("", reset...)
	require.Equal(t, exitUsage, code)
	require.Contains(t, message, "confirm with --yes")
	code, out, message = fenceCommand("n\n", reset...)
	require.Equal(t, exitFailed, code)
	require.Contains(t, out, "Reset? [y/N] ")
	require.Contains(t, message, "nothing was changed")
	code, out, message = fenceCommand("y\n", reset...)
	require.Equal(t, exitDone, code, message)
	require.Contains(t, out, "node 3: bound is "+to.Format("2006-01-02T15:04:05.000Z"))

	second := fenced()
	require.Greater(t, second, first)
	cfg, err := stamp.NewConfig(stamp.Options{Node: node.Static(3)})
	require.NoError(t, err)
	at, err := cfg.Time(second)
	require.NoError(t, err)
	require.False(t, at.Before(to), "%v", at)
}

func TestFenceUsage(t *testing.T) {
	for args, want := range map[string]string{
		"show orders":                   "no --folder",
		"show or.ders --folder .":       `space "or.ders"`,
		"reset orders --folder . --yes": "no --node",
	} {
		var stderr bytes.Buffer
		s := &streams{in: strings.NewReader(""), out: &bytes.Buffer{}, err: &stderr, now: time.Now}
		require.Equal(t, exitUsage, run(append([]string{"fence"}, strings.Fields(args)...), s), args)
		require.Contains(t, stderr.String(), want)
	}
	var stderr bytes.Buffer
	s := &streams{in: strings.NewReader(""), out: &bytes.Buffer{}, err: &stderr, now: time.Now}
	require.Equal(t, exitFailed, run([]string{"fence", "show", "orders", "--folder", "/nowhere/at/all"}, s))
}
