package proxystore_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/filestore"
	"github.com/stampid/go-stamp/store/proxystore"
	"github.com/stampid/go-stamp/store/storetest"
)

var (
	_ store.Counters = (*proxystore.Client)(nil)
	_ store.Records  = (*proxystore.Client)(nil)
)

var orders = store.Key{Namespace: "shop", Name: "orders"}

// serve returns the URL of a server with the handler.
func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

func serveStore(t *testing.T, counters store.Counters) string {
	t.Helper()
	return serve(t, proxystore.NewHandler(counters, proxystore.HandlerOptions{}))
}

// open returns a client with connections of its own.
func open(t *testing.T, url string) *proxystore.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return openWith(t, url, transport)
}

func openWith(t *testing.T, url string, transport http.RoundTripper) *proxystore.Client {
	t.Helper()
	c, err := proxystore.NewClient(proxystore.ClientOptions{URL: url, HTTPClient: &http.Client{Transport: transport}})
	require.NoError(t, err)
	return c
}

func conform(t *testing.T, url string) {
	storetest.Run(t, func(t *testing.T) store.Counters { return open(t, url) })
	storetest.RunRecords(t, func(t *testing.T) store.Records { return open(t, url) })
	storetest.RunExpiring(t, func(t *testing.T) store.Expiring { return open(t, url) })
}

func TestConformanceOverMemory(t *testing.T) { conform(t, serveStore(t, store.NewMemory())) }

func TestConformanceOverFiles(t *testing.T) {
	counters, err := filestore.New(t.TempDir())
	require.NoError(t, err)
	conform(t, serveStore(t, counters))
}

func TestConformanceHTTP2(t *testing.T) {
	server := httptest.NewUnstartedServer(proxystore.NewHandler(store.NewMemory(), proxystore.HandlerOptions{}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	storetest.Run(t, func(t *testing.T) store.Counters { return openWith(t, server.URL, server.Client().Transport) })
}

// A server of a server is one as well, and so is one below a path.
func TestConformanceChained(t *testing.T) {
	first := serve(t, http.StripPrefix("/ids", proxystore.NewHandler(store.NewMemory(), proxystore.HandlerOptions{})))
	conform(t, serveStore(t, open(t, first+"/ids/")))
}

// Behind a mux that cleans paths and redirects.
func TestConformanceInMux(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("/", proxystore.NewHandler(store.NewMemory(), proxystore.HandlerOptions{}))
	conform(t, serve(t, mux))
}
