package etcdstore_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/etcdstore"
)

// patience is how long a server may take to answer at all.
const patience = 10 * time.Second

var orders = store.Key{Namespace: "shop", Name: "orders"}

func address() string { return cmp.Or(os.Getenv("STAMP_TEST_ETCD"), "127.0.0.1:2379") }

// dial returns a client, which may not be connected yet.
func dial(t *testing.T, config clientv3.Config) *clientv3.Client {
	t.Helper()
	config.Logger = zap.NewNop()
	client, err := clientv3.New(config)
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() }) // a test may have closed it
	return client
}

func dialAt(t *testing.T, server string) *clientv3.Client {
	t.Helper()
	return dial(t, clientv3.Config{Endpoints: []string{server}})
}

// connect returns a client of the server that the tests share.
func connect(t *testing.T) *clientv3.Client {
	t.Helper()
	client := dialAt(t, address())
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := client.Get(ctx, "/"); err != nil {
		missing(t, fmt.Sprintf("etcd doesn't answer, see STAMP_TEST_ETCD: %v", err))
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
	return "etcdstoretest-" + hex.EncodeToString(b[:])
}

// newPrefix returns a prefix of keys that are removed at the end of the test.
func newPrefix(t *testing.T) string {
	t.Helper()
	prefix := "/" + unique()
	t.Cleanup(func() { remove(t, prefix) })
	return prefix
}

func remove(t *testing.T, prefix string) {
	t.Helper()
	_, err := dialAt(t, address()).Delete(context.WithoutCancel(t.Context()), prefix, clientv3.WithPrefix())
	require.NoError(t, err)
}

func newStore(t *testing.T, client *clientv3.Client, prefix string) *etcdstore.Store {
	t.Helper()
	s, err := etcdstore.New(client, etcdstore.Options{Prefix: prefix})
	require.NoError(t, err)
	return s
}

func testContext(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func isUnknown(err error) bool { return errors.Is(err, store.ErrUnknownOutcome) }

// process is a server that a test has to itself.
type process struct {
	t    *testing.T
	url  string
	args []string
	cmd  *exec.Cmd
}

// newProcess starts a server in a folder of its own.
func newProcess(t *testing.T, args ...string) *process {
	t.Helper()
	if _, err := exec.LookPath("etcd"); err != nil {
		missing(t, "etcd isn't installed")
	}
	p := &process{t: t, url: "http://127.0.0.1:" + freePort(t)}
	peer := "http://127.0.0.1:" + freePort(t)
	base := []string{
		"--name", "test", "--data-dir", t.TempDir(), "--log-level", "fatal",
		"--listen-client-urls", p.url, "--advertise-client-urls", p.url,
		"--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", "test=" + peer,
		"--heartbeat-interval", "10", "--election-timeout", "100",
	}
	p.args = append(base, args...)
	p.start()
	t.Cleanup(p.kill)
	return p
}

func (p *process) start() {
	p.t.Helper()
	p.cmd = exec.Command("etcd", p.args...)
	require.NoError(p.t, p.cmd.Start())
	client := dialAt(p.t, p.url)
	defer func() { _ = client.Close() }()
	ctx, cancel := context.WithTimeout(p.t.Context(), 3*patience)
	defer cancel()
	_, err := client.MemberList(ctx)
	require.NoError(p.t, err)
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
