package zkstore_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/zkstore"
)

// patience is how long a server may take to answer at all.
const patience = 10 * time.Second

// tick is how often a test looks.
const tick = 10 * time.Millisecond

// session is the time-out of the sessions of tests.
const session = 10 * time.Second

var orders = store.Key{Namespace: "shop", Name: "orders"}

func address() string { return cmp.Or(os.Getenv("STAMP_TEST_ZOOKEEPER"), "127.0.0.1:2181") }

type silent struct{}

func (silent) Printf(string, ...any) {}

// dial returns a connection, which may not be up yet.
func dial(t *testing.T, server string) *zk.Conn {
	t.Helper()
	return dialBy(t, server, net.DialTimeout)
}

func dialBy(t *testing.T, server string, dialer zk.Dialer) *zk.Conn {
	t.Helper()
	conn, _, err := zk.Connect([]string{server}, session, zk.WithLogInfo(false), zk.WithLogger(silent{}), zk.WithDialer(dialer))
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	return conn
}

// answers waits until a server answers.
func answers(conn *zk.Conn) error {
	done := make(chan error, 1)
	go func() {
		_, _, err := conn.Exists("/")
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		return errors.New("no answer")
	}
}

// connect returns a connection to the server that the tests share.
func connect(t *testing.T) *zk.Conn {
	t.Helper()
	conn := dial(t, address())
	if err := answers(conn); err != nil {
		missing(t, fmt.Sprintf("ZooKeeper doesn't answer, see STAMP_TEST_ZOOKEEPER: %v", err))
	}
	return conn
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
	return "zkstoretest-" + hex.EncodeToString(b[:])
}

// newRoot returns a chroot that is removed at the end of the test.
func newRoot(t *testing.T) string {
	t.Helper()
	root := "/" + unique()
	t.Cleanup(func() { remove(t, dial(t, address()), root) })
	return root
}

// remove removes a node and all below it.
func remove(t *testing.T, conn *zk.Conn, path string) {
	t.Helper()
	children, _, err := conn.Children(path)
	if errors.Is(err, zk.ErrNoNode) {
		return
	}
	require.NoError(t, err)
	for _, child := range children {
		remove(t, conn, path+"/"+child)
	}
	// A container may be gone with its last child.
	if err := conn.Delete(path, -1); !errors.Is(err, zk.ErrNoNode) {
		require.NoError(t, err)
	}
}

func newStore(t *testing.T, conn *zk.Conn, root string) *zkstore.Store {
	t.Helper()
	s, err := zkstore.New(conn, zkstore.Options{Chroot: root})
	require.NoError(t, err)
	return s
}

func nodeOf(root string) string { return root + "/cosid/" + orders.String() }

func testContext(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// process is a server that a test has to itself.
type process struct {
	t            *testing.T
	port, folder string
	cmd          *exec.Cmd
	up           atomic.Bool
}

// jars are where Debian and Ubuntu put them.
const jars = "/usr/share/java"

// newProcess starts a server in a folder of its own.
func newProcess(t *testing.T, settings string) *process {
	t.Helper()
	if _, err := exec.LookPath("java"); err != nil {
		missing(t, "java isn't installed")
	}
	if _, err := os.Stat(filepath.Join(jars, "zookeeper.jar")); err != nil {
		missing(t, "ZooKeeper isn't installed")
	}
	p := &process{t: t, port: freePort(t), folder: t.TempDir()}
	text := fmt.Sprintf("dataDir=%s/data\nclientPort=%s\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n%s\n",
		p.folder, p.port, settings)
	require.NoError(t, os.WriteFile(filepath.Join(p.folder, "zoo.cfg"), []byte(text), 0o600))
	p.start()
	t.Cleanup(p.kill)
	return p
}

func (p *process) address() string { return "127.0.0.1:" + p.port }

func (p *process) start() {
	p.t.Helper()
	p.cmd = exec.Command("java", "-Xmx64m", "-cp", filepath.Join(jars, "zookeeper.jar"),
		"org.apache.zookeeper.server.quorum.QuorumPeerMain", filepath.Join(p.folder, "zoo.cfg"))
	require.NoError(p.t, p.cmd.Start())
	require.Eventually(p.t, p.serves, 3*patience, tick)
	p.up.Store(true)
}

// serves asks for the server's state, which it has a while after its port is open.
func (p *process) serves() bool {
	conn, err := net.Dial("tcp", p.address())
	if err != nil {
		return false
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(time.Second)); err != nil {
		return false
	}
	if _, err := conn.Write([]byte("srvr")); err != nil {
		return false
	}
	text, err := io.ReadAll(conn)
	return err == nil && strings.Contains(string(text), "Mode: ")
}

// dial is a dialer for clients. A server that has just begun may take a connection
// and not answer, which a client waits for much longer than for a port that opens.
func (p *process) dial(network, address string, timeout time.Duration) (net.Conn, error) {
	if !p.up.Load() {
		return nil, errors.New("the server is down")
	}
	return net.DialTimeout(network, address, timeout)
}

func (p *process) kill() {
	p.up.Store(false)
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

func isUnknown(err error) bool { return errors.Is(err, store.ErrUnknownOutcome) }
