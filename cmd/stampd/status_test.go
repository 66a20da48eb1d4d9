package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/stores"
	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
)

func TestStatus(t *testing.T) {
	m := newMachine(t)
	m.done(t, "next", "-n", "500", "order")
	m.done(t, "next", "-n", "3", "--partition", "7", "order")
	m.done(t, "next", "--offset", "9223372036854775806", "last")
	require.Equal(t, `counter                    stands at
default.order                    500
default.order#7                    3
default.last     9223372036854775807
default.never                      -  not there
`, m.done(t, "status", "order", "order#7", "last", "never"))
	require.Equal(t, `{"counter":"default.order","max_id":"500"}
{"counter":"default.last","max_id":"9223372036854775807"}
{"counter":"default.never","max_id":null}
`, m.done(t, "status", "--json", "order", "last", "never"))
	require.Equal(t, `{"counter":"shop.order","max_id":null}
`, m.done(t, "status", "--json", "--namespace", "shop", "order"))
}

func TestStatusWithAnAudit(t *testing.T) {
	m := newMachine(t)
	m.done(t, "next", "-n", "20", "before")
	m.done(t, "next", "--create", "--audit", "file:audit", "-n", "20", "order")
	require.Equal(t, `counter         stands at  audit mark
default.before         20           -  no mark yet
default.order          20          20  ok
default.never           -           -  not there
`, m.done(t, "status", "--audit", "file:audit", "before", "order", "never"))
	require.Equal(t, `{"counter":"default.before","max_id":"20","lost":false}
{"counter":"default.order","max_id":"20","mark":"20","lost":false}
{"counter":"default.never","max_id":null,"lost":false}
`, m.done(t, "status", "--json", "--audit", "file:audit", "before", "order", "never"))
}

// What is known is shown, also if something isn't.
func TestStatusOfWhatCantBeAsked(t *testing.T) {
	m := newMachine(t)
	m.done(t, "next", "order")
	code, out, message := m.run(t, "status", strings.Repeat("x", 200), "order")
	require.Equal(t, exitUsage, code)
	require.Contains(t, out, "default.order          1\n")
	require.Contains(t, message, "xxx")

	m.done(t, "next", "--store", "sqlite:audit.db", "lost")
	code, _, message = m.run(t, "status", "--audit", "sqlite:audit.db", strings.Repeat("x", 200), "lost")
	require.Equal(t, exitLost, code, "what is worst")
	require.Contains(t, message, "xxx")
}

// A counter that is in use is never taken for one that lost counts.
func TestStatusOfACounterInUse(t *testing.T) {
	counters, marks := store.NewMemory(), store.NewMemory()
	both := &audited{Store: &stores.Store{Counters: counters}, audit: segment.NewAudit(marks)}
	c := &statusCommand{storeFlags: storeFlags{Timeout: time.Minute}, namespaceFlag: namespaceFlag{"default"}}
	generator, err := segment.New(counters, c.key("order"), segment.Options{Mode: segment.Sync, Step: 1, Audit: both.audit})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	var using sync.WaitGroup
	defer using.Wait()
	defer cancel()
	using.Go(func() {
		for ctx.Err() == nil {
			if _, err := generator.Next(t.Context()); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for range 20_000 {
		at, err := c.look(t.Context(), both, c.key("order"))
		require.NoError(t, err)
		require.False(t, at.lost(), "%+v", at)
	}
}

func TestStatusMakesNothing(t *testing.T) {
	m := newMachine(t)
	for _, args := range []string{"order", "--store file:ids order", "--audit sqlite:audit.db order"} {
		code, out, message := m.run(t, append([]string{"status"}, strings.Fields(args)...)...)
		require.Equal(t, exitFailed, code)
		require.Empty(t, out)
		require.Contains(t, message, "the store isn't made yet")
		require.NotContains(t, message, "--create", "it has no such flag")
	}
	entries, err := os.ReadDir(m.folder)
	require.NoError(t, err)
	require.Empty(t, entries)
}

// Java's proxy can't be asked where counters stand, which is said.
func TestStatusOfAProxyOfCosId(t *testing.T) {
	proxy := httptest.NewServer(http.NotFoundHandler())
	defer proxy.Close()
	m := newMachine(t)
	code, _, message := m.run(t, "status", "--store", proxy.URL, "order")
	require.Equal(t, exitFailed, code)
	require.Contains(t, message, "without which there are no recovery and audit")
	code, _, message = m.run(t, "recover", "--store", proxy.URL, "--start", "5", "--all-stopped", "--yes", "order")
	require.Equal(t, exitFailed, code)
	require.Contains(t, message, "without which there are no recovery and audit")
	code, _, message = m.run(t, "next", "--audit", proxy.URL, "order")
	require.Equal(t, exitFailed, code)
	require.Contains(t, message, "without which there are no recovery and audit")
}

func TestStatusUsage(t *testing.T) {
	requireUsage(t, "status", map[string]string{
		"":                                   "<names>",
		"order --timeout=-1s":                "--timeout -1s isn't above 0",
		"order --store oracle://h":           "unknown kind",
		"order --audit oracle://h":           "unknown kind",
		"order --audit sqlite:ids.db":        "--audit is the store itself",
		"order --create":                     "--create",
		"order --namespace= --store memory:": "namespace",
	})
}

// A damaged store is an error that names the file, and nothing is printed.
func TestDamagedStores(t *testing.T) {
	m := newMachine(t)
	for file, address := range map[string]string{"ids.db": "sqlite:ids.db", "folder/counters.txt": "file:folder"} {
		m.done(t, "next", "--store", address, "--create", "order")
		path := filepath.Join(m.folder, file)
		require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("what is this? ", 1000)), 0o600))
		_ = os.Remove(path + "-wal")
		for _, command := range []string{"next", "status"} {
			code, out, message := m.run(t, command, "--store", address, "order")
			require.Equal(t, exitFailed, code)
			require.Empty(t, out)
			require.Contains(t, message, strings.TrimSuffix(file, "/counters.txt"))
		}
	}
}
