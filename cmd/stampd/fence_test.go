package main

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
	"github.com/stampid/go-stamp/node/lease"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/stamp"
	"github.com/stampid/go-stamp/store"
)

// openRecords opens the records of a store, making it if need be.
func openRecords(t *testing.T, address string) store.Records {
	t.Helper()
	s, err := stores.Open(t.Context(), address, stores.Options{Create: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s.Records
}

type shownRecord struct {
	Node         uint64
	State, Owner string
	Bound        time.Time
	Left         float64
}

func readRecords(t *testing.T, out string) (records []shownRecord) {
	t.Helper()
	for line := range strings.Lines(out) {
		var r shownRecord
		require.NoError(t, json.Unmarshal([]byte(line), &r), line)
		records = append(records, r)
	}
	return records
}

// A program with a lease makes ids; operators see who has the number, and how far
// its ids may go, and bring the bound forward when it has ended.
func TestNodesAndFence(t *testing.T) {
	m := newMachine(t)
	address := "sqlite:" + m.folder + "/ids.db"
	l, err := lease.Acquire(t.Context(), openRecords(t, address), lease.Options{
		Space: "orders", First: 5, Last: 5, Name: "pod-5", TTL: time.Minute,
	})
	require.NoError(t, err)
	// The lease is closed with a context that doesn't end before the test does.
	defer func() { _ = l.Close(context.Background()) }()
	cfg, err := stamp.NewConfig(stamp.Options{Node: l, Registry: sequence.NewRegistry()})
	require.NoError(t, err)
	_, err = stamp.Next("orders", cfg)
	require.NoError(t, err)

	held := readRecords(t, m.done(t, "nodes", "orders", "--json", "--store", address))
	require.Len(t, held, 1)
	require.EqualValues(t, 5, held[0].Node)
	require.Equal(t, "leased", held[0].State)
	require.Greater(t, held[0].Left, 30.0)
	require.Contains(t, m.done(t, "nodes", "orders", "--store", address), "leased\n")
	require.Contains(t, m.done(t, "fence", "show", "orders", "--store", address), " ahead  ")
	require.NoError(t, l.Close(t.Context()))

	free := readRecords(t, m.done(t, "fence", "show", "orders", "--json", "--node", "5", "--store", address))
	require.Equal(t, "free", free[0].State)
	lower := []string{
		"fence", "reset", "orders", "--node", "5", "--to", free[0].Bound.Add(-time.Hour).Format(time.RFC3339Nano),
		"--all-stopped", "--yes", "--store", address,
	}
	code, out, message := m.run(t, lower...)
	require.Equal(t, exitFailed, code)
	require.Contains(t, message, "--lower confirms")
	require.Contains(t, out, "now", "it shows what there is")
	require.Equal(t, free, readRecords(t, m.done(t, "fence", "show", "orders", "--json", "--store", address)))

	m.done(t, append(lower, "--lower")...)
	lowered := readRecords(t, m.done(t, "fence", "show", "orders", "--json", "--store", address))
	require.Equal(t, free[0].Bound.Add(-time.Hour), lowered[0].Bound)
	require.Equal(t, "reset by hand", lowered[0].Owner)
}

// Every store that has records shows them, that of a running stampd included.
func TestFenceOnEachStore(t *testing.T) {
	everywhere(t, func(t *testing.T, m machine, address string) {
		m.done(t, "next", "--store", address, "--create", "order")
		for _, command := range [][]string{{"nodes"}, {"fence", "show"}} {
			code, out, message := m.run(t, append(command, "nobody", "--store", address, "--last", "3")...)
			require.Equal(t, exitDone, code, message)
			require.Empty(t, out)
			require.Contains(t, message, "has no records of space nobody")
		}
	})
}

func TestFenceUsage(t *testing.T) {
	requireUsage(t, "nodes", map[string]string{
		"":                          "<space>",
		"orders --node 70000":       "has 0 to",
		"orders --layout 1/2/3":     "want 4",
		"or.ders":                   `space "or.ders"`,
		"orders --store oracle://h": "unknown kind",
	})
	requireUsage(t, "fence", map[string]string{
		"reset orders --node 3 --to 2027-01-01T00:00:00Z --yes":         "--all-stopped confirms",
		"reset orders --node 3 --to 2027-01-01T00:00:00Z --all-stopped": "confirm with --yes",
		"reset orders --node 3 --all-stopped --yes":                     "no --to",
		"reset orders --to 2027-01-01T00:00:00Z --all-stopped --yes":    "no --node",
		"reset orders --node 3 --to soon":                               `"soon" is neither RFC 3339`,
		"show orders --node 3 --first 2":                                "--node excludes",
	})
}
