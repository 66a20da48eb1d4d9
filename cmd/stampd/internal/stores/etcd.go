package stores

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"

	"github.com/stampid/go-stamp/store/etcdstore"
)

func etcdScheme() scheme {
	return scheme{
		names: []string{"etcd", "etcds"},
		form:  "etcd://user:password@host:2379,host2:2379",
		open:  openEtcd,
	}
}

// etcdLogin is how long logging in may take, which making a client with a name
// and password waits for.
const etcdLogin = 10 * time.Second

func openEtcd(ctx context.Context, t *target, _ Options) (*Store, error) {
	prefix, err := t.take("prefix")
	if err != nil {
		return nil, err
	}
	if err := t.none(); err != nil {
		return nil, err
	}
	if t.url.Host == "" || strings.Trim(t.url.Path, "/") != "" {
		return nil, t.wrong("it needs hosts and no path; write %s", t.form)
	}
	// The client's context outlives ctx, which ends the waiting for it only.
	lasting, cancel := context.WithCancel(context.WithoutCancel(ctx))
	config := clientv3.Config{
		Context:              lasting,
		DialTimeout:          etcdLogin,
		Endpoints:            strings.Split(t.url.Host, ","),
		DialKeepAliveTime:    10 * time.Second, // else a host that vanished is waited for
		DialKeepAliveTimeout: 5 * time.Second,
		Logger:               zap.NewNop(),
	}
	if t.scheme == "etcds" {
		config.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	if user := t.url.User; user != nil {
		config.Username = user.Username()
		config.Password, _ = user.Password()
	}
	stop := context.AfterFunc(ctx, cancel)
	client, err := clientv3.New(config)
	stop()
	if err != nil {
		cancel()
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, fmt.Errorf("store %s: %w", t.name, err)
	}
	closer := closeFunc(func() error { defer cancel(); return client.Close() })
	s, err := etcdstore.New(client, etcdstore.Options{Prefix: prefix})
	if err != nil {
		return nil, errors.Join(t.wrong("%v", err), closer())
	}
	return opened(s, closer), nil
}
