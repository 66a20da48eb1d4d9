package sqltest

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/stampid/go-stamp/store/sqlstore"
	"github.com/stampid/go-stamp/telemetry"
)

// insertOrder raises the alarm for a second order with one id, and for nothing
// else.
func insertOrder(ctx context.Context, db *sql.DB, id int64, email string) error {
	_, err := db.ExecContext(ctx, "insert into orders (id, email) values (?, ?)", id, email)
	if key, ok := sqlstore.DuplicateKey(err); ok && key == "orders.id" {
		telemetry.Emit(nil, telemetry.Duplicate{SequenceID: "shop.orders", ID: id, Err: err})
	}
	return err
}

func Example_duplicate() {
	cancel := telemetry.Subscribe(func(e telemetry.Duplicate) {
		fmt.Println("ALARM:", e.SequenceID, "made", e.ID, "twice")
	})
	defer cancel()

	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1) // each connection has its own memory
	ctx := context.Background()
	if _, err := db.ExecContext(ctx, "create table orders (id integer primary key, email text unique)"); err != nil {
		fmt.Println(err)
		return
	}
	for _, order := range []struct {
		id    int64
		email string
	}{{7, "a@example.com"}, {8, "a@example.com"}, {7, "b@example.com"}} {
		err := insertOrder(ctx, db, order.id, order.email)
		fmt.Println(order.id, sqlstore.IsDuplicate(err))
	}
	// Output:
	// 7 false
	// 8 true
	// ALARM: shop.orders made 7 twice
	// 7 true
}
