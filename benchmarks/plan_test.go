package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every subject makes distinct ids, or texts that read back.
func TestSubjects(t *testing.T) {
	require.NoError(t, newPlan(nil).verify())
}

func TestNamesDiffer(t *testing.T) {
	p := newPlan(nil)
	names := make(map[string]bool)
	note := func(section string, pairs ...pair) {
		for _, pr := range pairs {
			name := section + "/" + pr.label()
			require.False(t, names[name], name)
			names[name] = true
		}
	}
	note("floors", p.floors...)
	note("codecs", p.codecs...)
	for _, row := range p.targets {
		note("targets", row.pair)
	}
	for i, l := range p.levels {
		note(p.peers[i].section(), l...)
	}
	require.Len(t, names, len(p.pairs()))
}

func TestOnly(t *testing.T) {
	p := newPlan(regexp.MustCompile(`^targets/Generator.Next/1$|^peers/.*xid.*/2$|^memory`))
	require.Len(t, p.targets, 1)
	require.Len(t, p.peers, 1)
	require.Len(t, p.levels[0], 1)
	require.Equal(t, 2, p.levels[0][0].goroutines)
	require.Empty(t, p.floors)
	require.Empty(t, p.codecs)
	require.True(t, p.memory)
	require.False(t, p.growth)
	require.False(t, p.allocations)
}

func TestVersionsAreKnown(t *testing.T) {
	for _, p := range peers() {
		require.Regexp(t, `^v\d`, version(p.module), p.library)
	}
	require.Equal(t, unknown, version("example.com/none"))
}

func TestPerSequence(t *testing.T) {
	bytes, err := perSequence(10, 100)
	require.NoError(t, err)
	require.Positive(t, bytes)
}

func TestCommand(t *testing.T) {
	const few = `^targets/(Generator.Next|base62 append, fixed width)/1$|^codecs/decimal decode|^allocations`
	run := func(args ...string) (string, int) {
		var stdout, stderr bytes.Buffer
		code := command(append([]string{"-rounds", "2", "-procs", "0", "-only", few}, args...), &stdout, &stderr)
		require.NotContains(t, stderr.String(), "broken")
		return stdout.String(), code
	}
	text, code := run()
	require.Zero(t, code)
	require.Contains(t, text, "TARGETS")
	require.Contains(t, text, "strconv.ParseUint")
	require.NotContains(t, text, "PEERS")

	text, code = run("-markdown")
	require.Zero(t, code)
	require.Contains(t, text, "### Targets")
	require.Contains(t, text, "| Generator.Next | 1 | ")

	text, code = run("-json")
	require.Zero(t, code)
	var report Report
	require.NoError(t, json.NewDecoder(strings.NewReader(text)).Decode(&report))
	require.Len(t, report.Targets, 2)
	require.Equal(t, 2, report.Targets[0].Ratio.Count)
	require.Positive(t, report.Targets[0].Ratio.Median)
	require.Len(t, report.Codecs, 1)
	require.NotEmpty(t, report.Allocations)
}

func TestCommandUsage(t *testing.T) {
	for _, args := range []string{"-rounds 0", "-procs -1", "-only (", "-json -markdown", "-nonsense", "more"} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, exitUsage, command(strings.Fields(args), &stdout, &stderr), args)
		require.NotEmpty(t, stderr.String(), args)
		require.Empty(t, stdout.String(), args)
	}
}
