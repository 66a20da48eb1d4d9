package proxystore_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/proxystore"
)

func Example() {
	server := httptest.NewServer(proxystore.NewHandler(store.NewMemory(), proxystore.HandlerOptions{}))
	defer server.Close()

	ctx := context.Background()
	counters, err := proxystore.NewClient(proxystore.ClientOptions{URL: server.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	key := store.Key{Namespace: "shop", Name: "orders"}
	if _, err := counters.Create(ctx, key, 1<<53); err != nil {
		fmt.Println(err)
		return
	}
	const n = 100
	maxID, err := counters.Allocate(ctx, key, n)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(maxID-n+1, "to", maxID)
	// Output: 9007199254740993 to 9007199254741092
}
