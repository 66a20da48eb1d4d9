package pgxstamp_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/stampid/go-stamp/encode"
	"github.com/stampid/go-stamp/integrations/pgxstamp"
	"github.com/stampid/go-stamp/node"
	"github.com/stampid/go-stamp/sequence"
	"github.com/stampid/go-stamp/stamp"
)

const (
	variable        = "STAMP_TEST_POSTGRES"
	defaultPostgres = "postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable"

	// How long the server may take to answer at all.
	patience = 10 * time.Second
)

type (
	orderKind  struct{}
	narrowKind struct{}

	orderID  = stamp.Typed[orderKind]
	nullable = stamp.NullTyped[orderKind]
	narrowID = stamp.Typed[narrowKind]
)

var (
	orders = stamp.MustGenerator("orders", stamp.MustConfig(stamp.Options{
		Node: node.Static(3), Codec: encode.Base62, Prefix: "ord_", Registry: sequence.NewRegistry(),
	}))
	narrow = stamp.MustGenerator("narrow", stamp.MustConfig(stamp.Options{
		Layout: stamp.Layout{Time: 41, Sequence: 12}, Epoch: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), // 53 bits
		Registry: sequence.NewRegistry(),
	}))
)

func (orderKind) Stamp() *stamp.Generator  { return orders }
func (narrowKind) Stamp() *stamp.Generator { return narrow }

// each runs a test in each mode in which pgx talks to the server.
func each(t *testing.T, test func(t *testing.T, pool *pgxpool.Pool)) {
	for _, mode := range []pgx.QueryExecMode{
		pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe, pgx.QueryExecModeDescribeExec,
		pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol,
	} {
		t.Run(mode.String(), func(t *testing.T) { test(t, open(t, mode)) })
	}
}

func open(t *testing.T, mode pgx.QueryExecMode) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(cmp.Or(os.Getenv(variable), defaultPostgres))
	require.NoError(t, err)
	config.MaxConns = 2 // the server has room for the tests of others
	config.ConnConfig.DefaultQueryExecMode = mode
	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		pgxstamp.Register(conn.TypeMap(), pgxstamp.TypeOf[orderKind](), pgxstamp.TypeOf[narrowKind]())
		return nil
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := pool.Ping(ctx); err != nil {
		if os.Getenv("CI") == "true" {
			require.NoError(t, err, "the server doesn't answer, see %s", variable)
		}
		t.Skipf("the server doesn't answer, see %s: %v", variable, err)
	}
	return pool
}

// table makes a table that no other run has.
func table(t *testing.T, pool *pgxpool.Pool, columns string) string {
	t.Helper()
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	name := "pgxstamp_" + hex.EncodeToString(b[:])
	exec(t, pool, "create table "+name+" ("+columns+")")
	t.Cleanup(func() {
		_, err := pool.Exec(context.WithoutCancel(t.Context()), "drop table "+name)
		require.NoError(t, err)
	})
	return name
}

func exec(t *testing.T, pool *pgxpool.Pool, statement string, args ...any) {
	t.Helper()
	_, err := pool.Exec(t.Context(), statement, args...)
	require.NoError(t, err, statement)
}

// one returns the only value of a query's only row.
func one[T any](t *testing.T, pool *pgxpool.Pool, query string, args ...any) (value T) {
	t.Helper()
	require.NoError(t, pool.QueryRow(t.Context(), query, args...).Scan(&value), query)
	return value
}

// column returns the only column of a query's rows.
func column[T any](t *testing.T, pool *pgxpool.Pool, query string, args ...any) []T {
	t.Helper()
	rows, err := pool.Query(t.Context(), query, args...)
	require.NoError(t, err, query)
	values, err := pgx.CollectRows(rows, pgx.RowTo[T])
	require.NoError(t, err, query)
	return values
}

func newIDs(t *testing.T, n int) []orderID {
	t.Helper()
	ids, err := stamp.AppendNew[orderKind](t.Context(), nil, n)
	require.NoError(t, err)
	return ids
}
