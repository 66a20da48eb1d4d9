package pgxstamp_test

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/stampid/go-stamp/integrations/pgxstamp"
	"github.com/stampid/go-stamp/stamp"
)

// A pool registers the types of ids with each of its connections.
func ExampleRegister() {
	ctx := context.Background()
	config, err := pgxpool.ParseConfig("postgres://shop@db/shop")
	if err != nil {
		fmt.Println(err)
		return
	}
	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		pgxstamp.Register(conn.TypeMap(), pgxstamp.TypeOf[orderKind]())
		return nil
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	ids, err := stamp.AppendNew[orderKind](ctx, nil, 1000)
	if err != nil {
		fmt.Println(err)
		return
	}
	n, err := pool.CopyFrom(ctx, pgx.Identifier{"orders"}, []string{"id"},
		pgx.CopyFromSlice(len(ids), func(i int) ([]any, error) { return []any{ids[i]}, nil }))
	fmt.Println(n, err)
}
