package main

import (
	"context"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// start runs mongowire in this process and returns its address, and what stops it.
func start(t *testing.T, data string) (uri string, stop func()) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	silent := slog.New(slog.DiscardHandler)
	done := make(chan error, 1)
	go func() { done <- serve(ctx, listener, files{data, true}, loggers{silent, silent}) }()
	stop = sync.OnceFunc(func() {
		cancel()
		require.NoError(t, <-done)
	})
	t.Cleanup(stop)
	return "mongodb://" + listener.Addr().String(), stop
}

func connect(t *testing.T, uri string) *mongo.Collection {
	t.Helper()
	client, err := mongo.Connect(options.Client().ApplyURI(uri))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Disconnect(context.WithoutCancel(t.Context()))) })
	return client.Database("mongowire").Collection("counters")
}

const (
	callers = 16
	calls   = 100
)

// incrementAtOnce adds 1 so many times at once and returns how often each value
// was returned.
func incrementAtOnce(t *testing.T, counters [2]*mongo.Collection, id string) map[int64]int {
	t.Helper()
	ctx := t.Context()
	_, err := counters[0].InsertOne(ctx, bson.D{{Key: "_id", Value: id}, {Key: "n", Value: int64(0)}})
	require.NoError(t, err)
	var mu sync.Mutex
	var running sync.WaitGroup
	returned, errs := map[int64]int{}, make([]error, callers)
	after := options.FindOneAndUpdate().SetReturnDocument(options.After)
	for i := range callers {
		running.Go(func() {
			for range calls {
				var document struct{ N int64 }
				err := counters[i%2].FindOneAndUpdate(ctx, bson.D{{Key: "_id", Value: id}},
					bson.D{{Key: "$inc", Value: bson.D{{Key: "n", Value: int64(1)}}}}, after).Decode(&document)
				if err != nil {
					errs[i] = err
					return
				}
				mu.Lock()
				returned[document.N]++
				mu.Unlock()
			}
		})
	}
	running.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	return returned
}

// Increments at once return each value from 1 to 1,600 once.
func TestIncrementsAreAtomic(t *testing.T) {
	uri, _ := start(t, t.TempDir())
	returned := incrementAtOnce(t, [2]*mongo.Collection{connect(t, uri), connect(t, uri)}, "relayed")
	for n := range int64(callers * calls) {
		require.Equal(t, 1, returned[n+1], "%d", n+1)
	}
	require.Len(t, returned, callers*calls)
}

// What the relay is for: without it, FerretDB returns some values more than once.
// That is its affair, so nothing is asked for here.
func TestIncrementsWithoutRelay(t *testing.T) {
	backend, err := startBackend(files{folder: t.TempDir()}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(backend.stop) // after the clients have left
	counters := connect(t, "mongodb://"+url.PathEscape(backend.socket))
	returned := incrementAtOnce(t, [2]*mongo.Collection{counters, counters}, "direct")
	t.Logf("%d of %d increments returned what another had returned", callers*calls-len(returned), callers*calls)
}

func TestDataOutlivesTheServer(t *testing.T) {
	data := filepath.Join(t.TempDir(), "a folder that isn't there")
	uri, stop := start(t, data)
	_, err := connect(t, uri).InsertOne(t.Context(), bson.D{{Key: "_id", Value: "kept"}})
	require.NoError(t, err)
	stop()
	uri, _ = start(t, data)
	require.NoError(t, connect(t, uri).FindOne(t.Context(), bson.D{{Key: "_id", Value: "kept"}}).Err())
}

func TestCheckArgs(t *testing.T) {
	require.NoError(t, checkArgs("folder", nil))
	require.EqualError(t, checkArgs("", nil), "-data is missing")
	require.EqualError(t, checkArgs("folder", []string{"x"}), `unexpected argument "x"`)
}
