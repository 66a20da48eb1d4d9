package redisstore_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/redisstore"
)

const defaultURL = "redis://127.0.0.1:6379/0"

// patience is how long a server may take to answer at all.
const patience = 10 * time.Second

var orders = store.Key{Namespace: "shop", Name: "orders"}

func serverURL() string { return cmp.Or(os.Getenv("STAMP_TEST_REDIS"), defaultURL) }

// connect returns a client of the server that the tests share.
func connect(t *testing.T) *redis.Client {
	t.Helper()
	client, err := redisstore.NewClient(serverURL())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := client.Ping(ctx).Err(); err != nil {
		missing(t, fmt.Sprintf("Redis doesn't answer, see STAMP_TEST_REDIS: %v", err))
	}
	return client
}

// missing skips a test, except where all that tests need has been installed.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		require.FailNow(t, what)
	}
	t.Skip(what)
}

// unique returns a name that no other run has.
func unique() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	return "redisstoretest-" + hex.EncodeToString(b[:])
}

// newPrefix returns a prefix of keys that are removed at the end of the test.
func newPrefix(t *testing.T, client *redis.Client) string {
	prefix := unique()
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		keys := client.Scan(ctx, 0, prefix+":*", 1000).Iterator()
		for keys.Next(ctx) {
			require.NoError(t, client.Del(ctx, keys.Val()).Err())
		}
		require.NoError(t, keys.Err())
	})
	return prefix
}

func newStore(t *testing.T, client redis.UniversalClient, prefix string) *redisstore.Store {
	t.Helper()
	s, err := redisstore.New(client, redisstore.Options{Prefix: prefix})
	require.NoError(t, err)
	return s
}

// process is a server that a test has to itself.
type process struct {
	t    *testing.T
	port string
	args []string
	cmd  *exec.Cmd
}

// newProcess starts a server in a folder of its own.
func newProcess(t *testing.T, args ...string) *process {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		missing(t, "redis-server isn't installed")
	}
	port := freePort(t)
	base := []string{"--port", port, "--bind", "127.0.0.1", "--dir", t.TempDir(), "--save", "", "--daemonize", "no"}
	p := &process{t: t, port: port, args: append(base, args...)}
	p.start()
	t.Cleanup(p.kill)
	return p
}

func (p *process) url() string { return "redis://127.0.0.1:" + p.port }

func (p *process) start() {
	p.t.Helper()
	p.cmd = exec.Command("redis-server", p.args...)
	require.NoError(p.t, p.cmd.Start())
	client, err := redisstore.NewClient(p.url())
	require.NoError(p.t, err)
	defer func() { require.NoError(p.t, client.Close()) }()
	require.Eventually(p.t, func() bool { return client.Ping(p.t.Context()).Err() == nil }, patience, 10*time.Millisecond)
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait() // says that it was killed
}

func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(listener.Addr().String())
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	return port
}
