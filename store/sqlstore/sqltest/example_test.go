package sqltest

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"

	"github.com/stampid/go-stamp/store/sqlstore"
)

func Example() {
	if err := allocateOnSQLite(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output: 1001 to 1100
}

func allocateOnSQLite(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "sqlstore")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "ids.db")+
		"?_pragma=busy_timeout(5000)&_pragma=journal_mode(wal)&_pragma=synchronous(full)")
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()

	counters, err := sqlstore.New(db, sqlstore.Options{Dialect: sqlstore.SQLite})
	if err != nil {
		return err
	}
	if err := counters.CreateTable(ctx); err != nil {
		return err
	}
	if _, err := counters.Create(ctx, orders, 1000); err != nil {
		return err
	}
	const n = 100
	maxID, err := counters.Allocate(ctx, orders, n)
	if err != nil {
		return err
	}
	fmt.Println(maxID-n+1, "to", maxID)
	return nil
}
