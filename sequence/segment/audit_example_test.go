package segment_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/stampid/go-stamp/sequence/segment"
	"github.com/stampid/go-stamp/store"
	"github.com/stampid/go-stamp/store/filestore"
)

// The marks are in a folder of the machine, out of reach of what restores the
// database. That protects a single instance.
func ExampleNewAudit_file() {
	folder, err := os.MkdirTemp("", "audit") // in earnest /var/lib/shop/audit, say
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(folder) }()
	marks, err := filestore.New(folder)
	if err != nil {
		fmt.Println(err)
		return
	}

	database := store.NewMemory() // in earnest sqlstore, redisstore …
	key := store.Key{Namespace: "shop", Name: "orders"}
	run := func() { // a process, from its start to its end
		orders, err := segment.New(database, key, segment.Options{Step: 100, Audit: segment.NewAudit(marks)})
		if err != nil {
			fmt.Println(err)
			return
		}
		defer orders.Close() //nolint:errcheck // always nil
		id, err := orders.Next(context.Background())
		fmt.Println(id, errors.Is(err, segment.ErrRolledBack))
	}

	backup := database.Contents()
	run()
	database.Restore(backup)
	run()
	// Output:
	// 1 false
	// 0 true
}
