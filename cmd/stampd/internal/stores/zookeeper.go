package stores

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/stampid/go-stamp/store/zkstore"
)

// zookeeperSession is how long the ensemble keeps a client that is silent, and
// two thirds of it how long a call waits for a server that is.
const zookeeperSession = 15 * time.Second

func zookeeperScheme() scheme {
	return scheme{
		names: []string{"zookeeper", "zk"},
		form:  "zookeeper://host:2181,host2:2181/chroot",
		open:  openZooKeeper,
	}
}

func openZooKeeper(_ context.Context, t *target, _ Options) (*Store, error) {
	prefix, err := t.take("prefix")
	if err != nil {
		return nil, err
	}
	if err := t.none(); err != nil {
		return nil, err
	}
	path := t.url.Path
	if path == "/" {
		path = ""
	}
	servers, chroot, err := zkstore.ParseConnectString(t.url.Host + path)
	if err != nil {
		return nil, t.wrong("%v; write %s", err, t.form)
	}
	conn, _, err := zk.Connect(servers, zookeeperSession, zk.WithLogInfo(false), zk.WithLogger(quiet{}))
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", t.name, err)
	}
	closer := closeFunc(func() error { conn.Close(); return nil })
	if user := t.url.User; user != nil {
		if err := conn.AddAuth("digest", []byte(credentials(user))); err != nil {
			return nil, errors.Join(fmt.Errorf("store %s: %w", t.name, err), closer())
		}
	}
	s, err := zkstore.New(conn, zkstore.Options{Chroot: chroot, Prefix: prefix})
	if err != nil {
		return nil, errors.Join(t.wrong("%v", err), closer())
	}
	return opened(s, closer), nil
}

// credentials are those of the digest scheme: user:password.
func credentials(user *url.Userinfo) string {
	password, _ := user.Password()
	return user.Username() + ":" + password
}

// quiet drops what the client logs beside its errors.
type quiet struct{}

func (quiet) Printf(string, ...any) {}
