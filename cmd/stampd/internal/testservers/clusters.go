package testservers

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"testing"

	"github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// MongoDB has collections that aren't there yet.
func MongoDB(t *testing.T) string {
	t.Helper()
	base := cmp.Or(os.Getenv("STAMP_TEST_MONGODB"), "mongodb://127.0.0.1:27017/")
	u, err := url.Parse(base)
	require.NoError(t, err)
	requireAnswer(t, u)
	collection := unique()
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		client, err := mongo.Connect(options.Client().ApplyURI(base))
		require.NoError(t, err)
		for _, name := range []string{collection, collection + "_record"} {
			require.NoError(t, client.Database("stampdtest").Collection(name).Drop(ctx))
		}
		require.NoError(t, client.Disconnect(ctx))
	})
	if u.Path == "" {
		u.Path = "/"
	}
	query := u.Query()
	query.Set("database", "stampdtest")
	query.Set("collection", collection)
	u.RawQuery = query.Encode()
	return u.String()
}

// ZooKeeper has a node that isn't there yet.
func ZooKeeper(t *testing.T) string {
	t.Helper()
	host := cmp.Or(os.Getenv("STAMP_TEST_ZOOKEEPER"), "127.0.0.1:2181")
	u := &url.URL{Scheme: "zookeeper", Host: host, Path: "/" + unique()}
	requireAnswer(t, u)
	t.Cleanup(func() {
		conn, _, err := zk.Connect([]string{host}, patience, zk.WithLogInfo(false))
		require.NoError(t, err)
		defer conn.Close()
		remove(t, conn, u.Path)
	})
	return u.String()
}

// remove deletes a node and what is below it.
func remove(t *testing.T, conn *zk.Conn, path string) {
	t.Helper()
	children, _, err := conn.Children(path)
	if err == zk.ErrNoNode { //nolint:errorlint // the client returns it bare
		return
	}
	require.NoError(t, err)
	for _, child := range children {
		remove(t, conn, path+"/"+child)
	}
	require.NoError(t, conn.Delete(path, -1))
}

// Etcd has keys that aren't there yet.
func Etcd(t *testing.T) string {
	t.Helper()
	host := cmp.Or(os.Getenv("STAMP_TEST_ETCD"), "127.0.0.1:2379")
	u := &url.URL{Scheme: "etcd", Host: host}
	requireAnswer(t, u)
	prefix := "/" + unique()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), patience)
		defer cancel()
		client, err := clientv3.New(clientv3.Config{Endpoints: []string{host}})
		require.NoError(t, err)
		_, err = client.Delete(ctx, prefix, clientv3.WithPrefix())
		require.NoError(t, err)
		require.NoError(t, client.Close())
	})
	u.RawQuery = url.Values{"prefix": {prefix}}.Encode()
	return u.String()
}
