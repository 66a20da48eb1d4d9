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

func openEtcd(_ context.Context, t *target, _ Options) (*Store, error) {
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
	config := clientv3.Config{
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
	client, err := clientv3.New(config)
	if err != nil {
		return nil, fmt.Errorf("store %s: %w", t.name, err)
	}
	s, err := etcdstore.New(client, etcdstore.Options{Prefix: prefix})
	if err != nil {
		return nil, errors.Join(t.wrong("%v", err), client.Close())
	}
	return opened(s, client), nil
}
