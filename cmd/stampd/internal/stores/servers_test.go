package stores

import (
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/cmd/stampd/internal/testservers"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/proxystore"
	"github.com/stampid/go-stamp/store/storetest"
)

var orders = store.Key{Namespace: "shop", Name: "orders"}

// urls are those of stores that only the test has.
func urls() map[string]func(t *testing.T) string {
	all := testservers.URLs()
	all["proxy"] = func(t *testing.T) string {
		server := httptest.NewServer(proxystore.NewHandler(store.NewMemory(), proxystore.HandlerOptions{}))
		t.Cleanup(server.Close)
		return server.URL
	}
	return all
}

// What is behind each scheme keeps the contract.
func TestConformance(t *testing.T) {
	for name, newURL := range urls() {
		t.Run(name, func(t *testing.T) {
			address := newURL(t)
			open := func(t *testing.T) *Store {
				t.Helper()
				s, err := Open(t.Context(), address, Options{Create: true})
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, s.Close()) })
				return s
			}
			storetest.Run(t, func(t *testing.T) store.Counters { return open(t) })
			storetest.RunRecords(t, func(t *testing.T) store.Records { return open(t).Records })
		})
	}
}
