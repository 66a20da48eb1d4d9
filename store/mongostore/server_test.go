package mongostore_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/mongo"

	"github.com/stampid/go-stamp/store/mongostore"
)

// The tests run on MongoDB as well as on tools/mongowire, which is what
// scripts/services starts where MongoDB isn't packaged. Where the two differ, the
// test says so. What needs a replica set is tested with scripted servers.
const defaultURI = "mongodb://127.0.0.1:27017"

// patience is how long a server may take to answer at all.
const patience = 10 * time.Second

func serverURI() string { return cmp.Or(os.Getenv("STAMP_TEST_MONGODB"), defaultURI) }

// newClient returns a client that is disconnected at the end of the test.
func newClient(t *testing.T, uri string) *mongo.Client {
	t.Helper()
	client, err := mongostore.NewClient(uri)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Disconnect(context.WithoutCancel(t.Context()))) })
	return client
}

// connect returns a client of the server that the tests share.
func connect(t *testing.T) *mongo.Client {
	t.Helper()
	client := newClient(t, serverURI())
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := client.Ping(ctx, nil); err != nil {
		missing(t, fmt.Sprintf("MongoDB doesn't answer, see STAMP_TEST_MONGODB: %v", err))
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
	return "mongostoretest-" + hex.EncodeToString(b[:])
}

// newDatabase returns the options of a store in a database that is dropped at the
// end of the test.
func newDatabase(t *testing.T, client *mongo.Client) mongostore.Options {
	o := mongostore.Options{Database: unique()}
	t.Cleanup(func() { require.NoError(t, client.Database(o.Database).Drop(context.WithoutCancel(t.Context()))) })
	return o
}

func newStore(t *testing.T, client *mongo.Client, o mongostore.Options) *mongostore.Store {
	t.Helper()
	s, err := mongostore.New(client, o)
	require.NoError(t, err)
	return s
}
